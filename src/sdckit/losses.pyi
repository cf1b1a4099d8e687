"""Information losses, from the catalogue: written by `make stubs`, not by hand."""

from collections.abc import Callable
from typing import Any

from sdckit.fuzzy.clusterings import Clustering
from sdckit.fuzzy.series import SeriesDistance
from sdckit.loss.analysis.ci_overlap import CiOverlap as _CiOverlap
from sdckit.loss.analysis.user_analysis_loss import UserAnalysisLoss as _UserAnalysisLoss
from sdckit.loss.categorical.average_class_size import AverageClassSize as _AverageClassSize
from sdckit.loss.categorical.contingency_table_loss import ContingencyTableLoss as _ContingencyTableLoss
from sdckit.loss.categorical.discernibility import Discernibility as _Discernibility
from sdckit.loss.categorical.entropy_loss import EntropyLoss as _EntropyLoss
from sdckit.loss.categorical.generalisation_height import GeneralisationHeight as _GeneralisationHeight
from sdckit.loss.categorical.normalised_certainty_penalty import (
    NormalisedCertaintyPenalty as _NormalisedCertaintyPenalty,
)
from sdckit.loss.categorical.precision import Precision as _Precision
from sdckit.loss.categorical.suppressed_cells import SuppressedCells as _SuppressedCells
from sdckit.loss.clustering.fuzzy_clustering_loss import FuzzyClusteringLoss as _FuzzyClusteringLoss
from sdckit.loss.clustering.interval_partition_loss import IntervalPartitionLoss as _IntervalPartitionLoss
from sdckit.loss.graph.centrality_loss import CentralityLoss as _CentralityLoss
from sdckit.loss.graph.clustering_loss import ClusteringLoss as _ClusteringLoss
from sdckit.loss.graph.community_loss import CommunityLoss as _CommunityLoss
from sdckit.loss.graph.degree_distribution_loss import DegreeDistributionLoss as _DegreeDistributionLoss
from sdckit.loss.graph.edge_loss import EdgeLoss as _EdgeLoss
from sdckit.loss.graph.path_length_loss import PathLengthLoss as _PathLengthLoss
from sdckit.loss.graph.spectrum_loss import SpectrumLoss as _SpectrumLoss
from sdckit.loss.graph.strength_loss import StrengthLoss as _StrengthLoss
from sdckit.loss.prediction.classification_loss import ClassificationLoss as _ClassificationLoss
from sdckit.loss.prediction.propensity_loss import PropensityLoss as _PropensityLoss
from sdckit.loss.prediction.regression_loss import RegressionLoss as _RegressionLoss
from sdckit.loss.statistics.association_loss import AssociationLoss as _AssociationLoss
from sdckit.loss.statistics.correlation_structure_loss import CorrelationStructureLoss as _CorrelationStructureLoss
from sdckit.loss.statistics.edit_violations import EditViolations as _EditViolations
from sdckit.loss.statistics.eigenvalue_loss import EigenvalueLoss as _EigenvalueLoss
from sdckit.loss.statistics.il1 import Il1 as _Il1
from sdckit.loss.statistics.il1s import Il1s as _Il1s
from sdckit.loss.statistics.il2 import Il2 as _Il2
from sdckit.loss.statistics.il3 import Il3 as _Il3
from sdckit.loss.statistics.il4 import Il4 as _Il4
from sdckit.loss.statistics.il5 import Il5 as _Il5
from sdckit.loss.statistics.il5_variation import Il5Variation as _Il5Variation
from sdckit.loss.statistics.marginal_distance import MarginalDistance as _MarginalDistance
from sdckit.loss.statistics.pairwise_distance import PairwiseDistance as _PairwiseDistance
from sdckit.loss.statistics.probabilistic_information_loss import (
    ProbabilisticInformationLoss as _ProbabilisticInformationLoss,
)
from sdckit.loss.statistics.structure_loss import StructureLoss as _StructureLoss
from sdckit.loss.statistics.variables_loss import VariablesLoss as _VariablesLoss
from sdckit.user_function import FunctionInFile

class AssociationLoss(_AssociationLoss):
    """Share of the association between attributes that changed, over all pairs, strong relations counting most.

    Association is the correlation of two ordered attributes, Cramér's V of two nominal ones, and the correlation ratio
    of a nominal and an ordered one, the latter two corrected for chance. A relation whose sign changed counts as lost,
    and a relation that the masking created counts as changed. Pairs within sampling error of 0 in both files are left
    out. The details give the strongest relations of the original before and after masking, and the figure of a file
    whose keys are shuffled, in which nothing that involves a key is left. No correspondence of rows is needed.

    Formula: Σ min(|a − a′|, m) / Σ m,  m = max(|a|, |a′|),  over the pairs with m > 2 / √n

    Use it when relations between attributes of any kind are what the file is studied for.
    """
    def __init__(self) -> None: ...

class AverageClassSize(_AverageClassSize):
    r"""Growth of the average size of classes that agree on all keys, as a share of the largest possible growth.

    The average class has n / |classes| records; with suppressed keys, which agree with every value, Σ 1 / f counts the
    classes. C_avg, the average divided by the required k, is in the details: 1 is the best that k-anonymity
    can do. The loss is 0 where classes are no larger than in the original, and 1 where there is one class.

    Formula: $\frac{A' - A}{1 - A}$,  $A = \frac{1}{\sum_i 1 / f_i}$,  $f_i$ the number of records that agree with
    record $i$ on the keys

    Use it when classes of at least k records were formed, to see how much larger than needed they are.
    """
    def __init__(self, *, group_size: int = 3) -> None:
        """group_size: the required number of records (k); at least 1"""

class CentralityLoss(_CentralityLoss):
    r"""Root mean squared change of the betweenness of nodes, as a share of its root mean square in the original.

    Betweenness counts the shortest paths through a node. In large graphs it is estimated from paths that start at some
    nodes, drawn at random and the same in both graphs; the standard error of the figure is in the details.

    Formula: $\sqrt{\frac{\sum_v (b'_v - b_v)^2}{\sum_v b_v^2}}$,  $b_v$ the betweenness of vertex $v$

    Use it when brokers, bottlenecks or influence are analysed.
    """
    def __init__(self, *, sources: int = 200) -> None:
        """sources: nodes from which paths start; 0: all; at least 0"""

class CiOverlap(_CiOverlap):
    r"""One minus the mean overlap of the confidence intervals that a model of your own gives for either file.

    The model is a function of a frame that gives back an interval, as a pair of numbers, for each estimate by name. The
    overlap of two intervals is the mean of the parts of each that the other covers; intervals that do not meet have an
    overlap of 0. Unlike a relative difference it shows whether an analyst would come to the same conclusion, given the
    error that the estimates have anyway. The files may differ in length. In Python the model is a function; on a
    command line it is a file and a function in it, `model=model.py:fit`, and the file is run.

    Formula: $1 - \frac{1}{p} \sum \frac{1}{2} (\frac{|I \cap I'|}{|I|} + \frac{|I \cap I'|}{|I'|})$,  the sum over the
    $p$ intervals $I$ of the original and $I'$ of the masked file

    Use it when users fit a model whose estimates have standard errors, especially to synthetic data.
    """
    def __init__(self, *, model: Callable[[Any], Any] | FunctionInFile | None = None) -> None:
        """model: the function of a frame that gives an interval for each estimate, such as model.py:fit"""

class ClassificationLoss(_ClassificationLoss):
    r"""Share of a classification tree's skill that is lost when it is learnt from the masked file.

    Records are held out in turn. A tree learnt from the other original records and one learnt from their masked rows
    both classify them; the skill of either is the share of the naive guess's errors that it avoids, where the naive
    guess is the most frequent class of the held-out records. A number is classified as above the original's median or
    not. An attribute that the others cannot predict in the original is not counted. The interval shows how the figure
    varies with the records on which the trees are judged; the variation of the trees themselves is not included.

    Formula: $\frac{\sum_t \max(S_t - \max(S'_t, 0), 0)}{\sum_t S_t}$,  $S = 1 - \frac{\text{errors}}{\text{errors of
    the naive guess}}$, learnt from $x$ and $x'$

    Use it when the file is released for machine learning: it asks whether models can be trained on it.
    """
    def __init__(
        self,
        *,
        target: str | None = None,
        max_attributes: int = 5,
        folds: int = 3,
        records: int = 5000,
    ) -> None:
        """target: attribute to predict; by default the confidential ones in turn, else others, else keys
        max_attributes: largest number of attributes to predict, where none is named; at least 1
        folds: number of parts of the file for cross-validation; at least 2
        records: largest number of records used, drawn at random; at least 10
        """

class ClusteringLoss(_ClusteringLoss):
    r"""Change of the mean clustering coefficient and of transitivity, on average.

    The clustering coefficient of a node is the share of the pairs of its neighbours that are linked; transitivity is
    the share of all paths of two edges that are closed. Random changes of edges destroy triangles before they affect
    other statistics. For an uncertain graph the mean coefficient is the expected one, and transitivity the share of the
    expected number of such paths that are closed.

    Formula: $\frac{1}{2} (|\bar{c} - \bar{c}'| + |t - t'|)$,  $\bar{c}$ the mean local clustering coefficient, $t$ the
    transitivity

    Use it when groups, cliques or friends of friends are analysed.
    """
    def __init__(self) -> None: ...

class CommunityLoss(_CommunityLoss):
    r"""How much less the original's communities explain the masked graph, and the masked graph's the original.

    Communities are found in either graph by greedy gain of modularity. The figure is the mean decrease of modularity
    when each graph is divided by the other's communities instead of its own; it is 0 where they fit as well. The
    details give both modularities and the adjusted Rand index of the two partitions.

    Formula: $\frac{1}{2} (\max(Q(G, c) - Q(G, c'), 0) + \max(Q(G', c') - Q(G', c), 0))$,  $Q$ the modularity of
    communities $c$ in $G$

    Use it when groups in the network are analysed.
    """
    def __init__(self) -> None: ...

class ContingencyTableLoss(_ContingencyTableLoss):
    r"""Mean share of the records that are in another cell, over all tables of up to `dimension` attributes.

    Tables are compared as shares, so that files of different length can be compared. A removed value has a cell of its
    own, and a generalised value is another value. By attribute: the mean over the tables that it is in. Values may have
    been exchanged between records without any effect on a table, so the loss can lie below the share of changed values.

    Formula: mean over tables $T$ of $\frac{1}{2} \sum |\frac{T}{n} - \frac{T'}{n'}|$,  the sum over the cells of the
    table

    Use it when the file is published for tables.
    """
    def __init__(self, *, dimension: int = 2) -> None:
        """dimension: largest number of attributes in a table; 1 to 4"""

class CorrelationStructureLoss(_CorrelationStructureLoss):
    r"""Distance between the diagonals of the two files' inverse correlation matrices, each scaled to length 1 (γ).

    The diagonal of the inverse shows how much of each attribute the others explain together. The figure lies between 0
    and 1; it does not show a change that affects all attributes equally, so it needs at least three.

    Formula: $\gamma = \frac{1}{\sqrt{2}} \lVert \frac{d}{\lVert d \rVert} - \frac{d'}{\lVert d' \rVert} \rVert$,  $d_j
    = (R^{-1})_{jj}$, $R$ the correlation matrix

    Use it when attributes explain each other, as in regressions on several of them, and a bounded figure is needed.
    """
    def __init__(self) -> None: ...

class DegreeDistributionLoss(_DegreeDistributionLoss):
    r"""Mean distance that degrees move from one distribution to the other, as a share of the mean degree.

    It is the earth mover's distance of the two distributions. The details give the Kolmogorov–Smirnov distance, which
    the tail hardly changes, and the mean degrees. Edges from and to a node are counted separately where both graphs
    have directions, and the two distances are averaged.

    Formula: $\frac{1}{\bar{d}} \int |F(x) - F'(x)| \, dx$,  $F$ the distribution of the degrees, $\bar{d}$ their mean

    Use it when the distribution of the numbers of links is analysed, and not which node has how many.
    """
    def __init__(self) -> None: ...

class Discernibility(_Discernibility):
    r"""Growth of the number of pairs of records that agree on all keys, as a share of the largest possible growth.

    The discernibility metric Σ |E|² charges each record with the size of its class; it is in the details for both
    files. The loss is 0 where the masked file has no more pairs that agree than the original, and 1 where all records
    agree. A missing or suppressed key agrees with every value, so a record without keys is charged with the whole file.

    Formula: $\frac{\mathrm{DM}' - \mathrm{DM}}{1 - \mathrm{DM}}$,  $\mathrm{DM} = \frac{1}{n^2} \sum_i f_i$,  $f_i$ the
    number of records that agree with record $i$ on the keys

    Use it when classes were formed by recoding, suppression or grouping, to compare ways to the same k.
    """
    def __init__(self) -> None: ...

class EdgeLoss(_EdgeLoss):
    r"""Share of the edges of either graph that the other one lacks.

    In an uncertain graph every edge counts by its probability. Where directions were dropped, every released edge
    counts as one in each direction, so that an edge in one direction becomes two, one of which is new. The details give
    the share of the original's edges that are kept and the share of the masked graph's edges that are new.

    Formula: $1 - \frac{|E \cap E'|}{|E \cup E'|}$

    Use it when single links are analysed.
    """
    def __init__(self) -> None: ...

class EditViolations(_EditViolations):
    r"""Growth of the share of records that break at least one edit of the file, over the edits that the masking broke.

    An edit is a rule that every record must satisfy, such as a range or `turnover − costs = profit`. The masking broke
    those edits that a larger share of records violates in the masked file than in the original; the share that violated
    one of these before is subtracted. Edits of attributes that are not in the release are left out. The details count,
    edit by edit, the records that break it before and after.

    Formula: $\max(0, s' - s)$,  $s$ and $s'$ the share of records that break an edit of $E$ in the original and the
    masked file,  $E$ the edits that are broken more often than in the original

    Use it when values are bound to each other or to a range, as in business accounts, where analysts check the sums.
    """
    def __init__(self) -> None: ...

class EigenvalueLoss(_EigenvalueLoss):
    r"""Mean variation of the eigenvalues of the covariance matrix, on the scale of the original's standard deviations.

    The eigenvalues are the variances of the principal components. Components without variance in the original, as where
    attributes add up to another, are skipped and counted. Constant attributes are left out.

    Formula: mean over $j$ of $\frac{|\lambda_j - \lambda'_j|}{\lambda_j}$,  $\lambda_1 \ge \lambda_2 \ge \ldots$ the
    eigenvalues of $\mathrm{Cov}(x / S)$

    Use it when the file feeds principal components, factor models or other reductions of dimension.
    """
    def __init__(self, *, cap: float = ...) -> None:
        """cap: largest variation counted for one eigenvalue; 1 gives the bounded form; at least 0"""

class EntropyLoss(_EntropyLoss):
    r"""Mean uncertainty about an original category given the masked one, as a share of the uncertainty without it.

    The probabilities of original categories given a masked one are their shares in this file, so any masking can be
    measured, and recodings, changed categories (PRAM) and suppression on one scale. A category recoded one to one costs
    nothing; a constant attribute has nothing to lose. A removed value is one more masked category.

    Formula: mean over cells of $\frac{H(V \mid V' = x'_{ij})}{H(V)}$,  $H = -\sum p \log p$

    Use it when categories were changed at random, or merged.
    """
    def __init__(self) -> None: ...

class FuzzyClusteringLoss(_FuzzyClusteringLoss):
    r"""Share of the records' memberships in clusters that is in other clusters when the masked file is clustered.

    Both files are clustered from the same starts, and the best run of each is taken to avoid poor local minima.
    Clusters are matched one to one by their memberships. Runs on the original may end in different clusters, too: the
    mean difference of the other runs from the best one is the baseline, and a loss below it cannot be distinguished
    from this variation. The details compare the partitions in other ways: by their centres, by pairs of records, and by
    the strongest cluster of each record. Where rows are not known, as of synthetic data, the original records are
    classified by the clusters of both files. In a panel with one row for each unit and time the units are clustered by
    their series.

    Formula: mean over records of $\frac{\sum_i |u_i - u'_i|}{\sum_i (u_i + u'_i)}$,  $u$ and $u'$ the memberships in
    the original and the masked file

    Use it when analysts will cluster the file, as in market or patient segmentation.
    """
    def __init__(
        self,
        *,
        clustering: Clustering | str = ...,
        clusters: int = 5,
        starts: int = 10,
        distance: SeriesDistance | str = ...,
        unit: str = "",
        time: str = "",
    ) -> None:
        """clustering: a fuzzy clustering of sdckit.fuzzy, such as noise-clustering(1.5+1) or possibilistic-c-
            means(2)
        clusters: number of clusters; at least 2
        starts: starts of each clustering, of which the best is taken; at least 1
        distance: how repeated measurements are compared: levels-and-changes(0.5), by the share of the changes
            from each to the next, or time-warping(2), by the number of times that a measurement may be moved
        unit: the column that identifies the unit of a panel with one row for each unit and time
        time: the column of the time of a panel; empty: the rows of a unit are in the order of time
        """

class GeneralisationHeight(_GeneralisationHeight):
    r"""Levels that attributes were generalised by, as a share of all levels.

    The level of an attribute is that of its most generalised value, as in recoding all values alike; removed values do
    not count, see suppressed-cells. An attribute without a hierarchy has one level above its values.

    Formula: $\frac{\sum_j \max_i (h(x'_{ij}) - h(x_{ij}))}{\sum_j H_j}$,  $h$ the level of a value, $H_j$ the height of
    hierarchy $j$

    Use it when whole attributes were recoded: it is the height of the release in the lattice of recodings.
    """
    def __init__(self) -> None: ...

class Il1(_Il1):
    r"""Mean variation of the values, over all records and ordered attributes.

    Cells with x = 0 are skipped and counted. The measure has no upper limit, and one near-zero value can dominate it;
    `cap` bounds each cell's variation.

    Formula: $\mathrm{IL1} = \frac{1}{n p} \sum_{i, j} \frac{|x_{ij} - x'_{ij}|}{|x_{ij}|}$

    Use it when analysts work with single records, and values lie well away from zero.
    """
    def __init__(self, *, cap: float = ...) -> None:
        """cap: largest variation counted for one cell; 1 gives the bounded form; at least 0"""

class Il1s(_Il1s):
    r"""Mean distance of the values from their masked ones, in √2 standard deviations of the original attribute.

    Unlike IL1 it is not dominated by values near zero. Constant attributes are skipped and counted. Some programs print
    the sum over all cells instead of the mean.

    Formula: $\mathrm{IL1s} = \frac{1}{n p} \sum_{i, j} \frac{|x_{ij} - x'_{ij}|}{\sqrt{2} \cdot S_j}$,  $S_j$ the
    standard deviation of $x_j$

    Use it when analysts work with single records, and values may be zero or of either sign.
    """
    def __init__(self) -> None: ...

class Il2(_Il2):
    r"""Mean variation of the means, over the ordered attributes.

    Attributes whose mean is 0 are skipped and counted.

    Formula: $\mathrm{IL2} = \frac{1}{p} \sum_j \frac{|\bar{x}_j - \bar{x}'_j|}{|\bar{x}_j|}$

    Use it when averages and totals are what is published from the file.
    """
    def __init__(self, *, cap: float = ...) -> None:
        """cap: largest variation counted for one statistic; 1 gives the bounded form; at least 0"""

class Il3(_Il3):
    r"""Mean variation of the covariances, over all pairs of ordered attributes.

    An attribute is a pair with itself, so variances count too. Covariances of 0 are skipped and counted; near-zero
    ones can dominate the figure.

    Formula: $\mathrm{IL3} = \text{mean over } j \le l \text{ of } \frac{|v_{jl} - v'_{jl}|}{|v_{jl}|}$,  $v_{jl} =
    \mathrm{Cov}(x_j, x_l)$

    Use it when regressions or factor models are fitted on the attributes' own scales.
    """
    def __init__(self, *, cap: float = ...) -> None:
        """cap: largest variation counted for one statistic; 1 gives the bounded form; at least 0"""

class Il4(_Il4):
    r"""Mean variation of the variances, over the ordered attributes.

    For microaggregation by group means this is exactly SSE / SST on standardised attributes. Constant attributes are
    skipped and counted.

    Formula: $\mathrm{IL4} = \frac{1}{p} \sum_j \frac{|v_j - v'_j|}{v_j}$,  $v_j = \mathrm{Var}(x_j)$

    Use it when variability matters: inequality, standard errors, tests.
    """
    def __init__(self, *, cap: float = ...) -> None:
        """cap: largest variation counted for one statistic; 1 gives the bounded form; at least 0"""

class Il5(_Il5):
    r"""Mean absolute error of the correlations, over all pairs of ordered attributes.

    Correlations are bounded, so they are compared directly; the figure lies between 0 and 2. Where values are
    missing, a correlation is that of the records that have both.

    Formula: $\mathrm{IL5} = \text{mean over } j < l \text{ of } |r_{jl} - r'_{jl}|$,  $r_{jl} = \mathrm{Cor}(x_j, x_l)$

    Use it when relations between attributes are what the file is studied for.
    """
    def __init__(self) -> None: ...

class Il5Variation(_Il5Variation):
    r"""Mean variation of the correlations, over all pairs of ordered attributes.

    Correlations of 0 are skipped and counted; near-zero ones can dominate the figure, which IL5 avoids.

    Formula: mean over $j < l$ of $\frac{|r_{jl} - r'_{jl}|}{|r_{jl}|}$,  $r_{jl} = \mathrm{Cor}(x_j, x_l)$

    Use it when figures are to be compared with papers that treat correlations as they do means and variances.
    """
    def __init__(self, *, cap: float = ...) -> None:
        """cap: largest variation counted for one correlation; 1 gives the bounded form; at least 0"""

class IntervalPartitionLoss(_IntervalPartitionLoss):
    r"""Mean distance between the membership intervals of the two files, over records and clusters.

    A clustering ends in a local minimum that depends on its start. The runs from several starts make an I-fuzzy
    partition: the membership in the best run, and the hesitation up to the highest membership in any run. Differences
    that are due to the start widen the intervals and are not counted as loss. The details give the mean hesitation in
    either file; where the runs agree it is 0 and the partitions are ordinary fuzzy ones.

    Formula: mean over records and clusters of $\max(|\mu - \mu'|, |\mu + \pi - \mu' - \pi'|)$,  $\mu$ the membership,
    $\pi$ the hesitation

    Use it when analysts will cluster the file and the clusters are not clear-cut, so that single runs differ.
    """
    def __init__(self, *, clustering: Clustering | str = ..., clusters: int = 5, starts: int = 10) -> None:
        """clustering: a fuzzy clustering of sdckit.fuzzy, such as noise-clustering(1.5+1) or fuzzy-possibilistic-c-
            means(1.5+2)
        clusters: number of clusters; at least 2
        starts: starts of each clustering, whose results make the intervals; at least 1
        """

class MarginalDistance(_MarginalDistance):
    r"""Mean distance of the distributions of single attributes in the two files, between 0 and 1.

    For categories it is the total variation: the share of records that would have to change their value. For numbers it
    is the greatest difference of the distribution functions (Kolmogorov and Smirnov). A missing value counts as a value
    of its own, and an attribute whose numbers are released as bands counts as completely changed. No correspondence of
    rows is needed, and the files may differ in length. The details give what two samples of these lengths from one
    population differ by on average, for the categorical attributes.

    Formula: $\frac{1}{p} \sum_j d_j$,  $d_j = \frac{1}{2} \sum_c |p_c - p'_c|$ or $\max_t |F(t) - F'(t)|$

    Use it when users tabulate single attributes, of masked or of synthetic data.
    """
    def __init__(self) -> None: ...

class NormalisedCertaintyPenalty(_NormalisedCertaintyPenalty):
    r"""Mean share of the other values of an attribute that a released value leaves possible.

    A leaf of the hierarchy counts 0, the root and a removed value 1. Unlike precision it weights a step by how many
    values it merges. A value changed for another leaf counts 0, so read it beside a loss that compares values.

    Formula: mean over cells of $\max(0, \mathrm{NCP}(x'_{ij}) - \mathrm{NCP}(x_{ij}))$,  $\mathrm{NCP}(v) =
    \frac{|\text{leaves under } v| - 1}{|\text{leaves}| - 1}$

    Use it when values were generalised by a hierarchy with branches of uneven size.
    """
    def __init__(self) -> None: ...

class PairwiseDistance(_PairwiseDistance):
    r"""Mean distance of the joint distributions of two attributes in the two files, between 0 and 1.

    It is the total variation of their table: the share of records that would have to move to another cell. Numbers are
    put into bins with equally many values of the original; a missing value is a cell of its own. No correspondence of
    rows is needed, and the files may differ in length. Tables with many cells differ between samples, too: the details
    give what two samples of these lengths from one population differ by on average.

    Formula: mean over $j < l$ of $\frac{1}{2} \sum_{\text{cells}} |p - p'|$

    Use it when users tabulate or relate two attributes at a time, of masked or of synthetic data.
    """
    def __init__(self, *, bins: int = 10) -> None:
        """bins: bins of a number; at least 2"""

class PathLengthLoss(_PathLengthLoss):
    r"""Relative change of the harmonic mean distance between nodes.

    The harmonic mean counts a pair without a path as infinitely far, so that disconnected graphs have a figure. In
    large graphs distances are measured from some nodes only, drawn at random, and the details give the standard error.

    Formula: $\frac{|h - h'|}{h}$,  $\frac{1}{h}$ the mean over pairs of $\frac{1}{\text{dist}(u, v)}$

    Use it when spreading, reach or centrality is analysed.
    """
    def __init__(self, *, sources: int = 300) -> None:
        """sources: nodes from which distances are measured; 0: all; at least 0"""

class Precision(_Precision):
    r"""Mean share of the levels between a value and the root of its hierarchy by which it was generalised.

    It is one minus Sweeney's precision. A suppressed value counts 1; an attribute without a hierarchy has
    one step. A value changed for another on the same level counts 0, so read it beside a loss that compares values.

    Formula: mean over cells of $\frac{\max(0, h(x'_{ij}) - h(x_{ij}))}{H - h(x_{ij})}$,  $h$ the level of a value, $H$
    that of the root

    Use it when values were generalised, record by record or all alike.
    """
    def __init__(self) -> None: ...

class ProbabilisticInformationLoss(_ProbabilisticInformationLoss):
    r"""Mean probability that a statistic of another sample would differ by less than the masked file does (PIL).

    The statistics are the quantiles (5 %, 10 % … 95 %), means, variances, covariances and correlations of the ordered
    attributes; the figure is the average of these five, each of which is in the details. It lies between 0 and 1
    whatever the attributes, so that losses of different files can be compared. In a large file samples hardly differ,
    and a small change is already beyond sampling error.

    Formula: $\mathrm{PIL}(\theta) = 2 \cdot \Phi(\frac{|\theta - \theta'|}{\sqrt{\mathrm{Var}(\theta)}}) -
    1$,  $\mathrm{Var}(\theta)$ the sampling variance of $\theta$ in the original

    Use it when a bounded figure is needed that compares the change by masking with sampling error.
    """
    def __init__(self) -> None: ...

class PropensityLoss(_PropensityLoss):
    r"""How well a model distinguishes masked from original records, from not at all to always (pMSE).

    The model is a logistic regression, or a decision tree (CART), which detects interactions of any order. Numbers
    enter with their squares and the products of two, the most frequent categories by indicators, and missing values by
    an indicator. A change that no such term shows is not measured. An unchanged file has the value 0; a file drawn from
    the correct model, fitted to the original, is distinguished a little by random variation alone: the details give the
    pMSE that is expected for such a file, and the ratio of the observed to the expected one. For a tree the expected
    value is the one that random labels give. In larger files the model is fitted to records drawn at random. The
    interval is over the records, each with its masked rows; the variation of the model itself is not included.

    Formula: $\frac{1}{N} \sum_i \frac{(p_i - c)^2}{c (1 - c)}$,  $p_i$ the probability that row $i$ is masked, $c$ the
    share of masked rows

    Use it when the masked file is to replace the original in analyses that are not known beforehand, as synthetic data
    do.
    """
    def __init__(self, *, records: int = 50000, model: str = "logistic", categories: int = 20) -> None:
        """records: largest number of records of each file that the model is fitted to; at least 10
        model: the model: logistic or tree
        categories: largest number of categories of an attribute in the model; at least 1
        """

class RegressionLoss(_RegressionLoss):
    r"""Share of a linear regression's skill that is lost when it is learnt from the masked file.

    Records are held out in turn. A model learnt from the other original records and one learnt from their masked rows
    both predict them; the skill of either is its R² on the held-out records, so that the best constant, the naive
    guess, has none. An attribute that the others cannot predict in the original is not counted. The interval shows how
    the figure varies with the records on which the models are judged; the variation of the models themselves is not
    included.

    Formula: $\frac{\sum_t \max(R^2_t - \max(R'^2_t, 0), 0)}{\sum_t R^2_t}$,  $t$ the attributes predicted, $R^2$ learnt
    from $x$, $R'^2$ from $x'$

    Use it when the file is released for regressions: it compares the results of an analysis and not single values.
    """
    def __init__(
        self,
        *,
        target: str | None = None,
        max_attributes: int = 5,
        folds: int = 3,
        records: int = 5000,
    ) -> None:
        """target: attribute to predict; by default the confidential ones in turn, else others, else keys
        max_attributes: largest number of attributes to predict, where none is named; at least 1
        folds: number of parts of the file for cross-validation; at least 2
        records: largest number of records used, drawn at random; at least 10
        """

class SpectrumLoss(_SpectrumLoss):
    r"""Mean relative change of the largest eigenvalue of the adjacency and of the second smallest of the Laplacian.

    The first, λ₁, governs how fast something spreads; the second, μ₂, how hard the graph is to cut in two: 0 where it
    is disconnected. An uncertain graph is measured by its expected adjacency.

    Formula: $\frac{1}{2} (\frac{|\lambda_1 - \lambda'_1|}{\lambda_1} + \frac{|\mu_2 - \mu'_2|}{\mu_2})$,  $\lambda_1$
    the largest eigenvalue of the adjacency matrix, $\mu_2$ the second smallest of the Laplacian

    Use it when spreading or communities are analysed, or a masking that keeps the spectrum is compared.
    """
    def __init__(self) -> None: ...

class StrengthLoss(_StrengthLoss):
    r"""Mean change of the sum of the weights of a node's edges, as a share of its mean in the original.

    Edges from and to a node are counted separately where they have directions. Without weights the strength of a node
    is its degree; where weights were not released, every edge counts as one of mean weight. In an uncertain graph every
    edge counts by its probability.

    Formula: $\frac{\sum_v |s'_v - s_v|}{\sum_v |s_v|}$,  $s_v = \sum_{u \sim v} w_{uv}$

    Use it when totals by node are analysed, such as traffic, calls or trade.
    """
    def __init__(self) -> None: ...

class StructureLoss(_StructureLoss):
    """Mean of the distance of single distributions and of the share of association that is lost, between 0 and 1.

    One half is `marginal-distance`, how far the distribution of each attribute moved; the other is `association-loss`,
    how much of the relations between attributes is gone. A file whose keys are shuffled has every distribution
    unchanged and loses all relations of the keys: its figure is one half, and a release that reaches it keeps no more
    than tables of single attributes. Numbers, categories and their mixture count alike, and no correspondence of rows
    is needed. Where there is one attribute only, the figure is its marginal distance.

    Formula: ½ · (mean distance of marginals + share of association lost)

    Use it when one figure must compare maskings of any file: it is the loss that sweeps, searches and reports use.
    """
    def __init__(self) -> None: ...

class SuppressedCells(_SuppressedCells):
    r"""Share of the values of keys and confidential attributes that the masking removed.

    Cells that were missing before are not counted, nor are records that were left out as a whole.

    Formula: $\frac{|\{(i, j) : x_{ij} \text{ is present and } x'_{ij} \text{ is missing}\}|}{|\{(i, j) : x_{ij} \text{
    is present}\}|}$

    Use it when values were suppressed: it shows how many values an analyst has to do without.
    """
    def __init__(self) -> None: ...

class UserAnalysisLoss(_UserAnalysisLoss):
    """How far the result of an analysis of the masked file is from that of the original, by any function of a file.

    The analysis is called with either file as a frame of the library that the original came from, with the columns that
    both files have, and gives back a number, a text, or lists, arrays and mappings of these. The divergence compares
    the two results; without one of your own it is their mean relative difference, between 0 and 1. In Python either is
    a function; on a command line it is a file and a function in it, `analysis=model.py:fit`, and the file is run. A
    policy can name one only from a file that `--allow-code` names. An analysis that fails on the original is an error;
    if it fails on the masked file only, the loss is not applicable.

    Formula: $d(f(X), f(X'))$,  $f$ the analysis, $d$ the divergence

    Use it when you know what the file will be used for: the figure for that use is more relevant than any general one.
    """
    def __init__(
        self,
        *,
        analysis: Callable[[Any], Any] | FunctionInFile | None = None,
        divergence: Callable[[Any, Any], float] | FunctionInFile | None = None,
    ) -> None:
        """analysis: the function of a frame whose result should be preserved, such as model.py:fit
        divergence: the function of two results that says how far they differ, such as model.py:distance
        """

class VariablesLoss(_VariablesLoss):
    r"""Mean distance of the values from their masked ones, over attributes of every kind (λ).

    Numbers count by the angle of their difference, ordered categories by the steps between them, others by whether they
    changed. A value that was removed, or merged into a new category, counts as completely changed. In their own units,
    as the measure was first defined, the size of numbers dominates: any masking changes incomes almost completely, and
    shares hardly at all.

    Formula: $\lambda = \text{mean of } \frac{2}{\pi} \arctan |x - x'|$, $\frac{1}{r - 1} \cdot |\text{rank } x -
    \text{rank } x'|$ or $[x \ne x']$,  $r$ categories

    Use it when the file mixes numbers and categories and one bounded figure is needed for single values.
    """
    def __init__(self, *, standardised: bool = True) -> None:
        """standardised: numbers in standard deviations of the original, else in their own units"""
