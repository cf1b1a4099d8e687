"""Maskings, from the catalogue: written by `make stubs`, not by hand."""

from sdckit.fuzzy.clusterings import Clustering
from sdckit.fuzzy.operators import Operator
from sdckit.fuzzy.scaling import Scaling
from sdckit.fuzzy.series import SeriesDistance
from sdckit.holes import Holes
from sdckit.methods.differential_privacy.dp_microaggregation import DpMicroaggregation as _DpMicroaggregation
from sdckit.methods.differential_privacy.gaussian_noise import GaussianNoise as _GaussianNoise
from sdckit.methods.differential_privacy.laplace_noise import LaplaceNoise as _LaplaceNoise
from sdckit.methods.differential_privacy.randomised_response import RandomisedResponse as _RandomisedResponse
from sdckit.methods.generalisation.anonymity_models import Models
from sdckit.methods.generalisation.by_attribute import ByAttribute
from sdckit.methods.generalisation.key_levels import GeneralisationLoss
from sdckit.methods.generalisation.local_generalisation import LocalGeneralisation as _LocalGeneralisation
from sdckit.methods.generalisation.mondrian_relaxed import MondrianRelaxed as _MondrianRelaxed
from sdckit.methods.generalisation.mondrian_strict import MondrianStrict as _MondrianStrict
from sdckit.methods.generalisation.optimal_generalisation import OptimalGeneralisation as _OptimalGeneralisation
from sdckit.methods.graph.configuration_graph import ConfigurationGraph as _ConfigurationGraph
from sdckit.methods.graph.dk2_graph import Dk2Graph as _Dk2Graph
from sdckit.methods.graph.drop_directions import DropDirections as _DropDirections
from sdckit.methods.graph.drop_weights import DropWeights as _DropWeights
from sdckit.methods.graph.edge_randomisation import EdgeRandomisation as _EdgeRandomisation
from sdckit.methods.graph.edge_switching import EdgeSwitching as _EdgeSwitching
from sdckit.methods.graph.edge_weight_noise import EdgeWeightNoise as _EdgeWeightNoise
from sdckit.methods.graph.graph_generalisation import GraphGeneralisation as _GraphGeneralisation
from sdckit.methods.graph.k_degree_anonymity import KDegreeAnonymity as _KDegreeAnonymity
from sdckit.methods.graph.k_neighbourhood_anonymity import KNeighbourhoodAnonymity as _KNeighbourhoodAnonymity
from sdckit.methods.graph.spatial_graph import SpatialGraph as _SpatialGraph
from sdckit.methods.graph.uncertain_graph import UncertainGraph as _UncertainGraph
from sdckit.methods.microaggregation.aggregation_projection import AggregationProjection as _AggregationProjection
from sdckit.methods.microaggregation.class_means import ClassMeans as _ClassMeans
from sdckit.methods.microaggregation.constrained_fuzzy_microaggregation import (
    ConstrainedFuzzyMicroaggregation as _ConstrainedFuzzyMicroaggregation,
)
from sdckit.methods.microaggregation.edit_preserving_microaggregation import (
    EditPreservingMicroaggregation as _EditPreservingMicroaggregation,
)
from sdckit.methods.microaggregation.fuzzy_assignment import FuzzyAssignment as _FuzzyAssignment
from sdckit.methods.microaggregation.fuzzy_medoids import FuzzyMedoids as _FuzzyMedoids
from sdckit.methods.microaggregation.fuzzy_microaggregation import FuzzyMicroaggregation as _FuzzyMicroaggregation
from sdckit.methods.microaggregation.fuzzy_panel import FuzzyPanel as _FuzzyPanel
from sdckit.methods.microaggregation.fuzzy_series import FuzzySeries as _FuzzySeries
from sdckit.methods.microaggregation.fuzzy_splitting import FuzzySplitting as _FuzzySplitting
from sdckit.methods.microaggregation.group_space import GroupSpace
from sdckit.methods.microaggregation.grouping import Grouping
from sdckit.methods.microaggregation.mdav import Mdav as _Mdav
from sdckit.methods.microaggregation.optimal_univariate import OptimalUnivariate as _OptimalUnivariate
from sdckit.methods.microaggregation.ordered_microaggregation import OrderedMicroaggregation as _OrderedMicroaggregation
from sdckit.methods.microaggregation.principal_component_projection import (
    PrincipalComponentProjection as _PrincipalComponentProjection,
)
from sdckit.methods.microaggregation.projection import Ties
from sdckit.methods.microaggregation.refined_microaggregation import RefinedMicroaggregation as _RefinedMicroaggregation
from sdckit.methods.microaggregation.robust_microaggregation import RobustMicroaggregation as _RobustMicroaggregation
from sdckit.methods.microaggregation.sugeno_projection import SugenoProjection as _SugenoProjection
from sdckit.methods.microaggregation.v_mdav import VMdav as _VMdav
from sdckit.methods.microaggregation.z_score_projection import ZScoreProjection as _ZScoreProjection
from sdckit.methods.noise.additive_noise import AdditiveNoise as _AdditiveNoise
from sdckit.methods.noise.aggregated_noise import AggregatedNoise as _AggregatedNoise
from sdckit.methods.noise.bounded_noise import BoundedNoise as _BoundedNoise
from sdckit.methods.noise.corrected_noise import CorrectedNoise as _CorrectedNoise
from sdckit.methods.noise.correlated_noise import CorrelatedNoise as _CorrelatedNoise
from sdckit.methods.noise.multiplicative_noise import MultiplicativeNoise as _MultiplicativeNoise
from sdckit.methods.randomisation.invariant_pram import InvariantPram as _InvariantPram
from sdckit.methods.randomisation.pram import Pram as _Pram
from sdckit.methods.randomisation.value_flip import ValueFlip as _ValueFlip
from sdckit.methods.recoding.bottom_coding import BottomCoding as _BottomCoding
from sdckit.methods.recoding.global_recoding import GlobalRecoding as _GlobalRecoding
from sdckit.methods.recoding.global_recoding_breaks import GlobalRecodingBreaks as _GlobalRecodingBreaks
from sdckit.methods.recoding.global_recoding_groups import GlobalRecodingGroups as _GlobalRecodingGroups
from sdckit.methods.recoding.local_recoding import LocalRecoding as _LocalRecoding
from sdckit.methods.recoding.multivariate_top_coding import MultivariateTopCoding as _MultivariateTopCoding
from sdckit.methods.recoding.random_rounding import RandomRounding as _RandomRounding
from sdckit.methods.recoding.rounding import Rounding as _Rounding
from sdckit.methods.recoding.top_bottom_recoding import TopBottomRecoding as _TopBottomRecoding
from sdckit.methods.recoding.top_coding import TopCoding as _TopCoding
from sdckit.methods.sampling.research_subset import ResearchSubset as _ResearchSubset
from sdckit.methods.sampling.simple_sampling import SimpleSampling as _SimpleSampling
from sdckit.methods.sampling.stratified_sampling import StratifiedSampling as _StratifiedSampling
from sdckit.methods.suppression.linked_suppression import LinkedSuppression as _LinkedSuppression
from sdckit.methods.suppression.local_suppression import LocalSuppression as _LocalSuppression
from sdckit.methods.suppression.risk_suppression import RiskSuppression as _RiskSuppression
from sdckit.methods.swapping.aggregated_rank_swapping import AggregatedRankSwapping as _AggregatedRankSwapping
from sdckit.methods.swapping.data_shuffling import DataShuffling as _DataShuffling
from sdckit.methods.swapping.rank_swapping import RankSwapping as _RankSwapping
from sdckit.methods.swapping.rank_swapping_buckets import RankSwappingBuckets as _RankSwappingBuckets
from sdckit.methods.swapping.rank_swapping_distribution import RankSwappingDistribution as _RankSwappingDistribution
from sdckit.methods.swapping.record_swapping import RecordSwapping as _RecordSwapping
from sdckit.methods.synthesis.fitted_values import FittedValues as _FittedValues
from sdckit.methods.synthesis.fuzzy_regression_synthesis import FuzzyRegressionSynthesis as _FuzzyRegressionSynthesis
from sdckit.methods.synthesis.gaussian_copula import GaussianCopula as _GaussianCopula
from sdckit.methods.synthesis.ipso_a import IpsoA as _IpsoA
from sdckit.methods.synthesis.ipso_b import IpsoB as _IpsoB
from sdckit.methods.synthesis.ipso_c import IpsoC as _IpsoC
from sdckit.methods.synthesis.microhybrid import Microhybrid as _Microhybrid
from sdckit.methods.synthesis.model_choice import ModelChoice
from sdckit.methods.synthesis.partial_trees import PartialTrees as _PartialTrees
from sdckit.methods.synthesis.romm import Romm as _Romm
from sdckit.methods.synthesis.sequential_trees import SequentialTrees as _SequentialTrees
from sdckit.methods.synthesis.sufficiency_hybrid import SufficiencyHybrid as _SufficiencyHybrid

class AdditiveNoise(_AdditiveNoise):
    r"""Add to each value independent normal noise whose variance is a share of the attribute's.

    Means are kept in expectation, variances grow by the factor 1 + k and correlations shrink by the same; an analyst
    who knows the share can correct both. Whole numbers are rounded again, and values are clipped to a declared range.

    Formula: $x' = x + \varepsilon$,  $\varepsilon \sim N(0, k \cdot \mathrm{Var}(x))$

    Use it when analysts fit models that can allow for a known error in the values, and when no value is so far out
    that it can still be recognised after a moderate disturbance.

    Excludes nothing: a normal disturbance can take any size, so every released record remains possible, only more or
    less likely.
    """
    def __init__(self, *, variance_share: float = 0.1) -> None:
        """variance_share: variance of the noise as a share of the attribute's variance (the papers' k); at least 0"""

class AggregatedNoise(_AggregatedNoise):
    r"""Add normal noise whose standard deviation grows with an aggregation of how outlying the record's values are.

    Outlying records are re-identified most easily and get the full share of noise; records in the middle get the
    `least` part of it. Each attribute is scaled to 0..1 and counted by its distance from the middle; the operator says
    how many attributes have to be far out, such as owa(0.2) for one of them and owa(2) for most. Means are kept in
    expectation. A missing value stays missing and counts as the middle.

    Formula: $x'_j = x_j + a(x) \cdot \varepsilon_j$,  $\varepsilon_j \sim N(0, k \cdot \mathrm{Var}(x_j))$,  $a = l +
    (1 - l) \cdot A(o_1, \ldots, o_d)$,  $o_j = |2 s_j(x_j) - 1|$

    Use it when most records are ordinary and should be changed little, and a few are outlying.

    Excludes nothing: a normal disturbance can take any size.
    """
    def __init__(
        self,
        *,
        variance_share: float = 0.1,
        least: float = 0.2,
        operator: Operator | str = ...,
        scaling: Scaling | str = ...,
    ) -> None:
        """variance_share: variance of the noise of the most outlying records, as a share of the attribute's variance
            (the papers' k); at least 0
        least: standard deviation of the noise of a record in the middle, as a share of the largest; 0 to 1
        operator: an operator of sdckit.fuzzy, such as owa(0.5), weighted-mean(0.7+0.3), choquet(2),
            sugeno(linear+0.3+0.8)
        scaling: how attributes are brought to 0..1: min-max, ranks or normal
        """

class AggregatedRankSwapping(_AggregatedRankSwapping):
    r"""Order the records by an aggregation of their attributes, and swap all of these with a record near in that order.

    The attributes of a record are swapped together: their joint distribution survives exactly, with all correlations
    and all edits among them, and only their relation to the other attributes of the file weakens as the window widens.
    Each attribute is scaled to 0..1 before the aggregation. Records with missing values are swapped among those with
    missing values in the same attributes; a missing value counts as the mean in the order. An intruder who knows the
    method knows that the aggregated value moved no further than the window.

    Formula: $(x_i, x_j) \to (x_j, x_i)$,  $|r(i) - r(j)| \le p \cdot n$,  $r$ the rank of $A(s_1(x_1), \ldots,
    s_d(x_d))$

    Use it when the relations among the masked attributes, or edits that link them, must be unchanged, and the relations
    to the rest of the file matter less.
    """
    def __init__(self, *, window: float = 0.05, operator: Operator | str = ..., scaling: Scaling | str = ...) -> None:
        """window: widest rank gap, as a share of the records (the papers' p%); 0 to 1
        operator: an operator of sdckit.fuzzy, such as weighted-mean(0.7+0.3), owa(0.5), choquet(2),
            sugeno(linear+0.3+0.8)
        scaling: how attributes are brought to 0..1: min-max, ranks or normal
        """

class AggregationProjection(_AggregationProjection):
    r"""Order the records by an aggregation of their scaled attributes, and group them optimally in that order.

    Each attribute is scaled to 0..1, by default by its least and greatest value. The operator says what makes records
    alike: a weighted mean weighs attributes, an ordered weighted average weighs high or low values, a Choquet or Sugeno
    integral weighs sets of them; the last three by any quantifier, such as owa(linear+0.3+0.8) for 'most of them', the
    integrals also by a measure of the attributes by name, so that attributes can reinforce or replace each other.

    Formula: $p(x) = A(s_1(x_1), \ldots, s_v(x_v))$,  $s_j(x) = \frac{x - \min_j}{\max_j - \min_j}$

    Use it when it is known which attributes, or which of a record's values, matter most to the users of the file.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        ties: Ties | str = ...,
        space: GroupSpace | str = ...,
        operator: Operator | str = ...,
        scaling: Scaling | str = ...,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        ties: order of records with the same projection: by-value, file-order or random
        space: where groups have the least squared error: axis (the projections) or attributes (the standardised
            values)
        operator: an operator of sdckit.fuzzy, such as owa(0.5), weighted-mean(0.7+0.3), choquet(2),
            sugeno(linear+0.3+0.8); choquet and sugeno also by attribute, choquet(lambda+income=0.5+age=0.4),
            choquet(sets+income=0.5+age=0.3)
        scaling: how attributes are brought to 0..1: min-max, ranks or normal
        """

class BottomCoding(_BottomCoding):
    r"""Replace the smallest values of each attribute by a limit, or by their mean.

    The mirror image of top-coding: the limit is the value that `share` of the records fall short of, or `limit` if that
    is higher. A missing value stays missing.

    Formula: $x' = \begin{cases} x & \text{if } x \ge t \\ t & \text{otherwise} \end{cases}$,  $t = \max(\text{limit},
    Q_s)$,  instead of $t$ also the mean of all $x < t$

    Use it when a few very small values are recognisable, such as losses or the youngest.
    """
    def __init__(self, *, share: float = 0.05, limit: float = ..., tail_mean: bool = False) -> None:
        """share: share of the smallest values to code; 0 leaves it to `limit`; 0 to 1
        limit: lowest value to publish, in the attribute's unit
        tail_mean: publish the mean of the coded values instead of the limit
        """

class BoundedNoise(_BoundedNoise):
    r"""Add independent uniform noise that never exceeds a share of the attribute's standard deviation.

    No value changes much, which helps users, but every original value lies in a known interval, which helps intruders:
    the intervals of several attributes together leave few records possible. Means are kept in expectation, variances
    grow by a third of the squared share. Whole numbers are rounded again, and values are clipped to a declared range.

    Formula: $x' = x + \varepsilon$,  $\varepsilon \sim U(-h \sigma, h \sigma)$

    Use it when a guaranteed accuracy of each value matters more than protection against an informed intruder.
    """
    def __init__(self, *, half_width: float = 0.2) -> None:
        """half_width: largest disturbance, as a share of the standard deviation (h); at least 0"""

class ClassMeans(_ClassMeans):
    r"""Replace each number by the mean of the records that agree with it on the keys with categories.

    After a step that generalises the other keys, a numeric key is published as the mean of its class and the release
    keeps the anonymity that the classes have. Every mean is over at least k observed values: classes with fewer are
    averaged together with near ones. A missing key is a value of its own: where a number is missing in a part of a
    class it is missing in all of it, so that the rows of a class look the same. With any-value a missing number stays
    missing, the others of its class do not, and means and totals of the file are kept; so they are in a file without
    missing numbers. Without a key with categories, all records are one class.

    Formula: $x'_i = \frac{1}{|E|} \sum_{j \in E} x_j$,  $i \in E$,  $E$ the records with the same released keys

    Excludes nothing: a mean leaves every value of its class possible, and which class a record is in follows from the
    steps before.

    Use it when keys with hierarchies were generalised and a numeric key or confidential number must become as coarse as
    their classes.
    """
    def __init__(self, *, group_size: int = 3, holes: Holes | str = ...) -> None:
        """group_size: smallest number of values in a mean (the papers' k); at least 1
        holes: what a missing number counts as: own-value: then it is missing in the whole class, or any-value
        """

class ConfigurationGraph(_ConfigurationGraph):
    """Draw a random simple graph in which every node has the degree that it has in the original.

    Ends of edges are paired at random; self-loops and repeated edges are exchanged with random other edges. Degrees are
    exact, and nothing else of the structure is kept: no link can be inferred, but a node of a rare degree is still
    recognised by it, with its attributes.

    Formula: $P(G')$ uniform over simple graphs with $d'_v = d_v$, up to the exchange of repeated edges

    Use it when only degrees matter, or as a baseline for what degrees alone disclose.

    Weights are those of the original's edges, in random order.

    Excludes nothing: any two nodes may be linked.
    """
    def __init__(self) -> None: ...

class ConstrainedFuzzyMicroaggregation(_ConstrainedFuzzyMicroaggregation):
    r"""Cluster by a fuzzy clustering whose centres satisfy the edits, and publish a centre drawn for each record.

    A centre is drawn with the memberships of the record as probabilities. Every published record satisfies the linear
    edits of the masked attributes, also one that violated them before or has missing values. Products are satisfied by
    clustering logarithms where all values are positive, else by computing one attribute from the others. Attributes
    that edits link are in one block. Where all records satisfy linear edits the centres are those of
    fuzzy-microaggregation. Edits that depend on a condition (if … then …) or on an attribute that is not masked are
    checked and not enforced; the notes name them. `group_size` is not guaranteed: a centre may be drawn by fewer
    records.

    Formula: $\min \sum_i \sum_j u_{ij}^m \lVert x_i - v_j \rVert^2$ subject to $A v_j = b$, $G v_j \le h$ for every
    centre $v_j$,  $x'_i = v_j$ with probability $u_{ij}$

    Use it when records contain errors that the published file must not repeat, and method and parameters will be
    published; for a guaranteed group size take edit-preserving-microaggregation.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        assignment_fuzziness: float = 1.2,
        clustering: Clustering | str = ...,
        weighted: bool = False,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        assignment_fuzziness: fuzziness of the draw (the paper's m₂); 1 takes the nearest centre, inf any centre
            with equal probability; at least 1, or inf
        clustering: how centres are found: a clustering of sdckit.fuzzy, such as fuzzy-c-means(1.1) or noise-
            clustering(1.1+1); a number is the fuzziness of fuzzy c-means (the paper's m₁), where 1 is k-means
        weighted: count each record by its sampling weight where centres are computed
        """

class CorrectedNoise(_CorrectedNoise):
    r"""Add correlated noise and shrink towards the mean, so that means and covariances stay the same.

    The noise is made orthogonal to the attributes and given their covariances exactly, so that the means, variances and
    correlations of the file are preserved exactly, unless whole numbers are rounded or values are clipped to a declared
    range.

    Formula: $X' = \bar{X} + \frac{X - \bar{X} + \varepsilon}{\sqrt{1 + k}}$,  $\mathrm{Cov}(\varepsilon) = k \cdot
    \Sigma$,  $\mathrm{Cov}(X, \varepsilon) = 0$

    Use it when users will fit linear models and should get the same estimates as from the original.

    Excludes nothing: a normal disturbance can take any size.
    """
    def __init__(self, *, variance_share: float = 0.1) -> None:
        """variance_share: covariance of the noise as a share of the attributes' (the papers' k); at least 0"""

class CorrelatedNoise(_CorrelatedNoise):
    r"""Add normal noise whose covariance matrix is a share of the attributes': X′ = X + ε, Cov ε = k · Cov X.

    Means and correlations are kept in expectation, variances and covariances grow to (1 + k) times theirs; an analyst
    who knows the share can correct them. Whole numbers are rounded again, and values are clipped to a declared range. A
    missing value stays missing.

    Formula: $X' = X + \varepsilon$,  $\varepsilon \sim N(0, k \cdot \Sigma)$

    Use it when relations between attributes matter and users can divide by 1 + k.

    Excludes nothing: a normal disturbance can take any size.
    """
    def __init__(self, *, variance_share: float = 0.1) -> None:
        """variance_share: covariance of the noise as a share of the attributes' (the papers' k); at least 0"""

class DataShuffling(_DataShuffling):
    r"""Simulate the attributes given the other keys by a normal copula, and put the real values in the simulated order.

    Every marginal distribution survives exactly, and the rank correlations among the attributes and with the other
    ordered keys survive in expectation. With no attributes named, the confidential ones are shuffled. Ties keep the
    order of the records.

    Formula: $X^* = z_S \rho_{SS}^{-1} \rho_{SX} + e$,  $z = \Phi^{-1}(\frac{\text{rank} - 1/2}{n})$,  $e \sim N(0,
    \rho_{XX} - \rho_{XS} \rho_{SS}^{-1} \rho_{SX})$,  $\text{rank } X' = \text{rank } X^*$

    Use it when confidential amounts must keep their distribution and their relation to published keys.

    Excludes nothing: given the other keys a record's own value has no influence on where it goes, so any value can go
    anywhere.
    """
    def __init__(self) -> None: ...

class Dk2Graph(_Dk2Graph):
    r"""Draw a random graph with the joint degree distribution of the original: its dK-2 series.

    Edges are switched at random wherever the number of edges between any two degrees stays. Degrees and assortativity
    are exact; clustering and communities are lost. An intruder who knows degrees and degrees of neighbours learns how
    common each combination is.

    Formula: $(a, b), (c, d) \to (a, d), (c, b)$ where $d_a = d_c$ or $d_b = d_d$;  $m'(j, k) = m(j, k)$ for all degrees
    $j, k$

    Use it when mixing by degree is analysed, such as who links to hubs.

    Weights are those of the original's edges, in random order.

    Excludes nothing: any two nodes whose degrees were linked somewhere may be linked.
    """
    def __init__(self, *, switches: float = 10.0) -> None:
        """switches: successful switches for each edge; at least 0"""

class DpMicroaggregation(_DpMicroaggregation):
    r"""Release noisy means of groups of k records instead of their values, in an order that discloses no record.

    One attribute: the groups are k records each in the order of the values, always the same number of groups. Replacing
    one record changes the means by at most Δ / k in total, and the noise only has to hide this change: far less than
    for single values. Several attributes: the records are ordered by their distance from the corner of all lower
    bounds, an order that no other record can change; one record may then change every group by one member, and the
    noise is n / k times as large. Each group's mean is written as often as the group has records, in a random order: a
    row shows nobody's values, and is not linked to the other columns. The noise comes from OpenDP and the operating
    system, so no seed repeats it.

    Individual rankings of several attributes that are joined again are refused: whether two values are in the same row
    depends on the ranks and not on the noise. With groups of 2 the records (1, 1), (2, 2), (3, 3), (4, 4) give two
    different rows; with (1, 4.5) instead of (1, 1) they give four, whatever the noise.

    Formula: $c' = c + \mathrm{Lap}(\frac{\Delta}{k \varepsilon})$,  for several attributes $\mathrm{Lap}(\frac{n}{k}
    \cdot \frac{1}{k \varepsilon} \sum_j \Delta_j)$

    Use it when a formal guarantee is asked for and the distribution of one attribute is needed rather than single
    values.

    Excludes nothing: no row belongs to a record.
    """
    def __init__(
        self,
        *,
        lower: tuple[float, ...] = (),
        upper: tuple[float, ...] = (),
        group_size: int = 10,
        epsilon: float = 1.0,
        ranking: str = "joint",
    ) -> None:
        """lower: smallest possible value of each attribute, in the order named; none: as declared by the edits of
            the schema
        upper: largest possible value of each attribute, in the order named; none: as declared by the edits of the
            schema
        group_size: records in a group (k); at least 1
        epsilon: privacy loss of all attributes of the step together (ε); at least 1e-06
        ranking: how several attributes are grouped: joint; individual is refused, with the reason
        """

class DropDirections(_DropDirections):
    r"""Release who is linked with whom and not in which direction.

    Two edges that lead both ways between two nodes become one; their weights are added up. A graph without directions
    is unchanged. Incoming and outgoing links can no longer be distinguished, and methods that need edges without
    directions can follow.

    Formula: $E' = \{\{u, v\} : (u, v) \in E \text{ or } (v, u) \in E\}$

    Use it when directions are not analysed, before a method that masks edges without directions.

    Excludes nothing: an edge may have led either way.
    """
    def __init__(self) -> None: ...

class DropWeights(_DropWeights):
    """Release who is linked with whom and not how strongly.

    The edges and their directions stay. A graph without weights is unchanged. A weight that few other edges have
    identifies its two ends, so weights that are not analysed should not be released.

    Formula: $E' = E$, $w'$ is not released

    Use it when strengths of links are not analysed, before a method that does not protect weights.

    Excludes nothing: an edge may have had any weight.
    """
    def __init__(self) -> None: ...

class EdgeRandomisation(_EdgeRandomisation):
    r"""Delete a share of the edges at random and add as many between random pairs of nodes that had none.

    The number of edges is unchanged. Degrees of hubs fall and those of other nodes rise; the spectrum changes quickly.
    An intruder who knows the share weights every candidate by the probability that the known degree became the released
    one.

    Formula: $E' = (E \setminus D) \cup A$,  $|D| = |A| = \text{share} \cdot |E|$,  $D \subset E$ and $A \subset V^2
    \setminus E$ uniform

    Use it when a simple method with known probabilities is wanted and some loss of structure is acceptable.

    Directions are kept, and added edges lead from a random node to another. Edges that stay keep their weights, and
    added ones get those of the deleted ones in random order.

    Excludes nothing: any pair of nodes may be linked or not.
    """
    def __init__(self, *, share: float = 0.1) -> None:
        """share: edges deleted and added, as a share of all edges; 0 to 1"""

class EdgeSwitching(_EdgeSwitching):
    r"""Exchange the ends of random pairs of edges, so that every node has as many neighbours as before.

    Two edges with four different ends are replaced where neither new edge exists. Every degree is unchanged, so an
    intruder who knows degrees learns as much as before; who is linked with whom becomes uncertain. Paths get shorter
    and clustering falls with the share of switches.

    Formula: $(a, b), (c, d) \to (a, d), (c, b)$

    Use it when degrees must be exact and links are what is to be hidden.

    Where edges have directions, as many lead from and to every node as before. Edges that are not switched keep their
    weights, and the others exchange theirs at random.

    Excludes nothing: any edge may have been switched.
    """
    def __init__(self, *, share: float = 0.5) -> None:
        """share: successful switches, as a share of the edges; at least 0"""

class EdgeWeightNoise(_EdgeWeightNoise):
    r"""Multiply the weight of every edge by a random factor around 1.

    Weights that are all whole numbers are rounded to whole numbers again, and none changes its sign. Sums of weights
    over many edges are approximately unchanged, and so are shortest paths where weights differ much. Edges and degrees
    are exact, so it protects weights only: combine it with a method that masks edges. A graph without weights is
    unchanged.

    Formula: $w'_e = w_e \cdot \max(1 + \varepsilon_e, 0)$,  $\varepsilon_e \sim N(0, \text{noise}^2)$

    Use it when strengths of links are confidential and approximate strengths are sufficient.

    Excludes nothing: a weight may have been any other of the same sign.
    """
    def __init__(self, *, noise: float = 0.2) -> None:
        """noise: standard deviation of the factor of a weight (σ); at least 0"""

class EditPreservingMicroaggregation(_EditPreservingMicroaggregation):
    r"""Group records as MDAV does within strata, and publish means that satisfy the edits: no new violation arises.

    Attributes that edits link are grouped together. Sums, ranges and orders are kept by arithmetic means, products by
    geometric means, in strata of equal signs. Where one attribute governs another (if … then …), records are grouped
    with others that satisfy the edit in the same way. A mean that still violates a linear edit, because records of the
    group do or have missing values, is moved to the nearest point that satisfies it. A value that cannot be published
    without violating an edit is suppressed; the notes give the number. All attributes of an equation have to be masked
    together. Where values are missing, groups are joined until each has enough observed values; a value of which the
    stratum has too few is suppressed. Where the file satisfies linear edits and has no missing values, the masked file
    is that of mdav.

    Formula: $x'_i = \operatorname{argmin}_v \lVert v - \varphi^{-1}(\frac{1}{|G|} \sum_{j \in G} \varphi(x_j)) \rVert$
    subject to $A v = b$, $H v \le h$,  $\varphi = \log$ for products, else $\varphi(x) = x$

    Use it when the schema declares edits, as for business accounts, and the masked file must satisfy them.
    """
    def __init__(self, *, group_size: int = 3, block_size: int = 0, weighted: bool = False) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        weighted: means weighted by the sampling weight, which keep weighted totals where edits are linear and
            satisfied
        """

class FittedValues(_FittedValues):
    r"""Replace attributes by what their regression on others predicts, without any residual.

    Coefficients and means are those of the original; variances shrink to the part that the regression explains, and the
    residuals of the released values are zero. Nothing is drawn, so the file is the same for every seed. Given the other
    attributes, a released value contains no further information on the original one.

    Formula: $Y' = X \hat{B}$,  $\hat{B} = (X^\top X)^{-1} X^\top Y$

    Use it when only conditional means are needed; it is fuzzy-regression-synthesis with one model.

    Excludes nothing: residuals of any size are possible.
    """
    def __init__(self, *, given: tuple[str, ...] | None = None) -> None:
        """given: attributes to condition on; by default other keys, confidential ones and weights; empty: none"""

class FuzzyAssignment(_FuzzyAssignment):
    r"""Group the records by a crisp microaggregation and replace each by a group mean drawn with its memberships.

    The groups of MDAV, of V-MDAV or of a projection fix the centroids; which of them a record gets is drawn, the near
    ones with the highest probability. With an assignment fuzziness above 1 an intruder who knows the method can exclude
    no record; at 1 each record gets its nearest centroid, which need not be that of its own group. `group_size` is not
    guaranteed for the released rows.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $v_i$ the
    means of the groups, $D_i = \lVert x - v_i \rVert^2$

    Use it when the groups of a certain microaggregation are wanted, and its method and parameters will be published.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        assignment_fuzziness: float = 1.2,
        groups: Grouping | str = ...,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        assignment_fuzziness: fuzziness of the draw (the paper's m₂); 1 takes the nearest centre, inf any centre
            with equal probability; at least 1, or inf
        groups: the microaggregation that makes the groups, such as mdav, v-mdav or z-score-projection
        """

class FuzzyMedoids(_FuzzyMedoids):
    r"""Cluster the records by a fuzzy clustering with records as centres, and publish a drawn centre for each record.

    A centre has the values of the record nearest to the weighted mean of its cluster, its medoid, numbers and
    categories alike: no combination is published that does not occur, and edits that the file satisfies are satisfied.
    The cost is that values of single records are published, where other microaggregations publish means; a value that
    identifies a person by itself still does so. As in fuzzy-microaggregation every centre has a positive probability
    with an assignment fuzziness above 1, and `group_size` is not guaranteed. Where values are missing, a centre is a
    record with as few of them as any, and a value that too few records near it have is a mean.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $v_i =
    \operatorname{argmin}_{v \in X} \sum_x \mu_i(x)^{m_1} \cdot \lVert x - v \rVert^2$, $D_i = \lVert x - v_i \rVert^2$

    Use it when means of the attributes have no meaning, as of codes, counts or linked categories, and no value
    identifies a person by itself.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        assignment_fuzziness: float = 1.2,
        clustering: Clustering | str = ...,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        assignment_fuzziness: fuzziness of the draw (the paper's m₂); 1 takes the nearest centre, inf any centre
            with equal probability; at least 1, or inf
        clustering: how centres are found: a clustering of sdckit.fuzzy, such as fuzzy-c-means(1.1) or noise-
            clustering(1.1+1); a number is the fuzziness of fuzzy c-means (the paper's m₁), where 1 is k-means
        """

class FuzzyMicroaggregation(_FuzzyMicroaggregation):
    r"""Cluster the records by a fuzzy clustering and replace each by a centre drawn with its memberships.

    There are as many centres as MDAV would make groups of `group_size`. With an assignment fuzziness above 1 every
    centre has a positive probability, so a published method and parameters exclude no record: `candidates` is None, and
    the intersection attack excludes nothing. The cost is that `group_size` is not guaranteed: a centre may be drawn by
    fewer records, and the notes of a release give the smallest number. A fuzziness of the clustering of about 1.02 to
    1.3 keeps the centres separate; above, they move towards each other, and on some files they coincide (the notes of a
    release say so). A centre of unordered categories has their mode, at a distance of 1 from any other category. A
    missing value stays missing and is left out of distances and means.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $D_i =
    \lVert x - v_i \rVert^2$,  $V = \mathrm{FCM}(X, c, m_1)$, $c = \lceil \frac{n}{k} \rceil$

    Use it when microaggregation is needed and method and parameters will be published; for a guaranteed group size take
    mdav and expect the intersection attack.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        assignment_fuzziness: float = 1.2,
        clustering: Clustering | str = ...,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        assignment_fuzziness: fuzziness of the draw (the paper's m₂); 1 takes the nearest centre, inf any centre
            with equal probability; at least 1, or inf
        clustering: how centres are found: a clustering of sdckit.fuzzy, such as fuzzy-c-means(1.1) or noise-
            clustering(1.1+1); a number is the fuzziness of fuzzy c-means (the paper's m₁), where 1 is k-means
        """

class FuzzyPanel(_FuzzyPanel):
    r"""Cluster the units of a panel by the series in their rows and replace each series by a drawn centre series.

    The file has one row for each unit and time; the attributes named are clustered together, or in blocks of
    `block_size`. Without a `unit` every row is a unit, and the attributes named, in the order of time, are its series.
    The distance weighs levels and changes, or aligns the series in time before it compares them. A unit that has no row
    for some time is compared by the others. With an assignment fuzziness above 1 every centre series has a positive
    probability; `group_size`, which counts units, is not guaranteed. A missing value stays missing.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $D_i$ the
    squared distance of the series $x$ to the centre series $v_i$

    Use it when a file has repeated rows of the same units, such as one for each year: rows that are masked one by one
    would let an intruder who follows a unit over time combine them.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        assignment_fuzziness: float = 1.2,
        clustering: Clustering | str = ...,
        distance: SeriesDistance | str = ...,
        unit: str = "",
        time: str = "",
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        assignment_fuzziness: fuzziness of the draw (the paper's m₂); 1 takes the nearest centre, inf any centre
            with equal probability; at least 1, or inf
        clustering: how centres are found: a clustering of sdckit.fuzzy, such as fuzzy-c-means(1.1)
        distance: how series are compared: levels-and-changes(0.5), by the share of the changes, or time-
            warping(2), by the number of times that a measurement may be moved
        unit: the column that identifies the unit; empty: every row is a unit
        time: the column of the time; empty: the rows of a unit are in the order of time
        """

class FuzzyRegressionSynthesis(_FuzzyRegressionSynthesis):
    r"""Fit several regressions at once, each record belonging to each by degrees, and publish what they predict.

    The number of models controls the trade-off between loss and risk: one model is plain regression (`fitted-values`),
    and with more models predictions come nearer to the original values. A record gets the prediction of one model,
    drawn with its memberships, of the model that fits it best, or of all weighted by memberships; with `residuals` a
    normal draw with the residual covariances of that model is added. Of several starts the fit with the lowest
    objective is taken.

    Formula: $\min \sum_i \sum_k u_{ik}^m \lVert y_k - x_k \Theta_i \rVert^2$,  $y'_k = x_k \Theta_i$ with probability
    $u_{ik}$

    Use it when one regression loses too much, and a single parameter should control loss and risk.

    Excludes nothing: residuals of any size are possible.
    """
    def __init__(
        self,
        *,
        given: tuple[str, ...] | None = None,
        models: int = 4,
        fuzziness: float = 1.5,
        choice: ModelChoice | str = ...,
        residuals: bool = False,
        starts: int = 3,
    ) -> None:
        """given: attributes to condition on; by default other keys, confidential ones and weights; empty: none
        models: number of regression models (the papers' c); at least 1
        fuzziness: fuzziness of the memberships (the papers' m); at least 1, or inf
        choice: model that predicts a record: drawn, best or weighted
        residuals: whether draws with the residual covariances of the model are added
        starts: number of starts of which the best fit is taken; at least 1
        """

class FuzzySeries(_FuzzySeries):
    r"""Cluster the units of a panel by their series of measurements and replace each series by a drawn centre series.

    The attributes named, in the order of time, are one series; with a `block_size` each block of so many is one. All
    measurements of a series have the same scale, so that its shape counts, and the distance weighs levels and changes
    from one measurement to the next. With an assignment fuzziness above 1 every centre series has a positive
    probability; `group_size` is not guaranteed. A missing value stays missing and is left out of distances and means.

    Formula: $x' = v_i$ with probability $\mu_i(x) = \frac{D_i^{-1/(m_2 - 1)}}{\sum_j D_j^{-1/(m_2 - 1)}}$,  $D = (1 -
    s) \sum_t (x_t - v_t)^2 + s \sum_t (\Delta x_t - \Delta v_t)^2$

    Use it when the columns are repeated measurements of the same thing, such as income in several years, and how a unit
    develops matters as much as its level.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        assignment_fuzziness: float = 1.2,
        clustering: Clustering | str = ...,
        change_share: float = 0.5,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        assignment_fuzziness: fuzziness of the draw (the paper's m₂); 1 takes the nearest centre, inf any centre
            with equal probability; at least 1, or inf
        clustering: how centres are found: a clustering of sdckit.fuzzy, such as fuzzy-c-means(1.1)
        change_share: weight of the changes between measurements, relative to their levels; 0 to 0.95
        """

class FuzzySplitting(_FuzzySplitting):
    r"""Split the records in two by fuzzy c-means until groups have `group_size` to twice as many; publish means.

    Each record goes to the cluster in which its membership is higher. A part with fewer than `group_size` records takes
    those of the other part that have the highest membership in it. The two initial centres are the ends of the first
    principal axis, so that nothing is drawn. The source does not say how clusters are split and how small ones are
    filled; this is one interpretation. Means and sums are kept, variances shrink. A missing value stays missing and is
    left out of distances and means; a group with too few values of an attribute is averaged together with the nearest
    such group.

    Formula: $x'_i = \frac{1}{|G|} \sum_{j \in G} x_j$,  $i \in G$,  $k \le |G| \le 2k$

    Use it when the groups of the first published method are wanted for comparison, or a file is too large for MDAV: the
    cost grows about like n log n.
    """
    def __init__(self, *, group_size: int = 3, block_size: int = 0, fuzziness: float = 1.5) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        fuzziness: fuzziness of the clustering; 1 is k-means; at least 1
        """

class GaussianCopula(_GaussianCopula):
    r"""Draw new records from the distribution of each attribute, joined by a normal copula.

    Each distribution is kept up to sampling error; of the relations between attributes only the rank correlations are
    kept. A number is drawn between two neighbouring values of the original, so that it is not copied from a person. The
    categories of an unordered attribute are put in the order of what they have in common with the other attributes.
    Whether a value is missing is drawn like an attribute of its own. What an edit determines is computed, and rows that
    break one are drawn again. Survey weights are drawn as an attribute like the others.

    Formula: $x'_j = \hat{F}_j^{-1}(\Phi(z_j))$,  $z \sim N(0, \rho)$,  $\rho = 2 \sin(\frac{\pi r}{6})$, $r$ Spearman's
    correlation corrected for ties

    Use it when a quick synthetic file with the right distributions is enough, such as for testing programs.

    Excludes nothing: no row belongs to a record.
    """
    def __init__(self, *, size: float = 1.0) -> None:
        """size: number of synthetic records, as a multiple of the original ones; at least 0"""

class GaussianNoise(_GaussianNoise):
    r"""Add to each value normal noise whose standard deviation follows from ε, δ and the range of the attribute.

    Each value is (ε, δ)-differentially private by itself: except with probability δ, a released row has nearly the same
    distribution whatever the person's value was. δ should be far below one over the number of records. Values beyond
    the bounds are moved to the nearest one. The noise comes from OpenDP and the operating system, so no seed repeats
    it. The losses of several attributes add up.

    Formula: $x' = x + N(0, \sigma^2)$,  $\sigma$ the least for which $(\varepsilon, \delta)$ holds with $\Delta =
    \text{upper} - \text{lower}$, by zero-concentration

    Use it when users need normally distributed errors; for a guarantee without δ take laplace-noise.

    Excludes nothing: a normal disturbance can take any size.
    """
    def __init__(
        self,
        *,
        lower: tuple[float, ...] = (),
        upper: tuple[float, ...] = (),
        epsilon: float = 1.0,
        delta: float = 1e-06,
    ) -> None:
        """lower: smallest possible value of each attribute, in the order named; none: as declared by the edits of
            the schema
        upper: largest possible value of each attribute, in the order named; none: as declared by the edits of the
            schema
        epsilon: privacy loss of each attribute (ε); at least 1e-06
        delta: probability with which the limit may fail for an attribute (δ); 1e-12 to 0.1
        """

class GlobalRecoding(_GlobalRecoding):
    r"""Replace every value of an attribute by its ancestor some levels up the hierarchy.

    The same value becomes the same node in every record, so tables of the recoded file are consistent with each other.
    A value with fewer levels above it becomes the root `*`, which carries no information. Numbers are recoded to bands
    where they have a hierarchy by breaks or intervals and are declared partially ordered. A missing value stays
    missing.

    Formula: $x' =$ the ancestor of $x$, $\ell$ levels up

    Use it when an attribute is finer than its users need, such as postcodes, occupations or ages in years.
    """
    def __init__(self, *, levels: int = 1) -> None:
        """levels: levels by which each value is generalised in its hierarchy; at least 0"""

class GlobalRecodingBreaks(_GlobalRecodingBreaks):
    """Replace each value by the band that it falls into.

    A band begins at each break and ends before the next one; the last one is open. Bands are written as people write
    them, 0–14 or 65+ for whole numbers and 10 to under 20 for others, or by labels of your own. In an ordered category
    a break is the category at which a band begins. A date is recoded to a unit, such as its year or quarter, or to the
    age at a day; years and ages can be recoded to bands in the same step. A missing value stays missing.

    Formula: x′ = [bᵢ, bᵢ₊₁) with bᵢ ≤ x < bᵢ₊₁

    Use it when a number is finer than its users need, such as ages in years, incomes or dates of birth.
    """
    def __init__(
        self,
        *,
        breaks: tuple[int | float | str, ...] = (),
        labels: tuple[str, ...] = (),
        unit: str = "",
        at: str = "",
    ) -> None:
        """breaks: where each band begins: numbers, or categories of an ordered category
        labels: what the bands are called, in their order, instead of 0–14 or 65+
        unit: what a date is recoded to: month, quarter, half-year, year, decade, century or age
        at: the day at which age is counted, as 2026-01-01
        """

class GlobalRecodingGroups(_GlobalRecodingGroups):
    """Replace categories by the name of the group that they are put in.

    The mapping is given category by category; a category that is in no group is unchanged, or becomes the group of all
    others. For an attribute with a hierarchy use global-recoding, whose groups are the nodes of the tree. A missing
    value stays missing.

    Formula: $x' = g(x)$

    Use it when a few categories are best published together, such as widowed, divorced and single as living alone.
    """
    def __init__(self, *, groups: tuple[str, ...] = (), others: str = "") -> None:
        """groups: categories to put together, as 'single|widowed=alone'
        others: the group of all categories that are in none; without it they are unchanged
        """

class GraphGeneralisation(_GraphGeneralisation):
    r"""Group nodes into blocks of at least `group_size` and publish only how many edges are within and between them.

    The partition is searched by simulated annealing so that as few graphs as possible have these counts, which
    preserves most information on the original. What is released is one of these graphs, drawn uniformly, with the block
    of every node; users can compute the counts from it and draw further graphs. Within a block nodes are exchangeable:
    whatever is known of the structure, at most one node in `group_size` is re-identified on average. The informed
    intruder is assumed to recognise every block by its counts.

    Formula: $\min \sum_X \log \binom{\binom{|X|}{2}}{c(X, X)} + \sum_{X < Y} \log \binom{|X| \cdot |Y|}{c(X,
    Y)}$,  $|X| \ge k$

    Use it when nobody must be distinguishable from `group_size` − 1 others by any structural knowledge.

    Excludes nothing within a block: every node of a block may be any of its people.
    """
    def __init__(self, *, group_size: int = 5, search: int = 20) -> None:
        """group_size: nodes of a block, at least (the paper's k); at least 1
        search: exchanges tried for each node (the search takes time in proportion); at least 0
        """

class InvariantPram(_InvariantPram):
    r"""Change each category to another at random, so that the expected count of every category is unchanged.

    A matrix as for PRAM changes each value, and a second matrix, obtained by Bayes' rule, changes the result to a value
    from which it could have come; together they leave the frequencies π of the file unchanged in expectation. One-way
    tables need no correction. A missing value stays missing.

    Formula: $R = \alpha P Q + (1 - \alpha) I$,  $Q_{kj} = \frac{P_{jk} \pi_j}{\sum_l \pi_l P_{lk}}$,  $\pi R = \pi$

    Use it when users take counts directly from the file and would not invert a matrix.
    """
    def __init__(self, *, stay: float = 0.8, levels: int = 0, strength: float = 1.0) -> None:
        """stay: probability that a value is unchanged by the first matrix; 0 to 1
        levels: levels up to the ancestor that a new value must share; 0: any value is possible; at least 0
        strength: share of the change that is carried out (the literature's α); 0 to 1
        """

class IpsoA(_IpsoA):
    r"""Replace attributes by draws from their regression on others.

    Means, covariances and regression coefficients are those of the original in expectation, so an estimate from the
    synthetic file has about twice the sampling variance. Given the other attributes, a synthetic value says nothing
    about the original one. Some texts call the fitted values themselves IPSO-A; these are `fitted-values`.

    Formula: $Y' = X \hat{B} + \varepsilon$,  $\varepsilon \sim N(0, \hat{\Sigma})$,  $\hat{\Sigma} = \frac{1}{n} (Y - X
    \hat{B})^\top (Y - X \hat{B})$

    Use it when the synthetic file should show no statistic of the original exactly; ipso-b and ipso-c keep some.

    Excludes nothing: a normal draw can take any size.
    """
    def __init__(self, *, given: tuple[str, ...] | None = None) -> None:
        """given: attributes to condition on; by default other keys, confidential ones and weights; empty: none"""

class IpsoB(_IpsoB):
    r"""Replace attributes by draws from their regression on others, made to have exactly the same coefficients.

    The regression coefficients are those of the original, and so are the means and the covariances of the replaced
    with the given attributes, until values are rounded or clipped; the covariances of the residuals are equal in
    expectation only. Given the other attributes, a synthetic value says nothing about the original one.

    Formula: $Y' = X \hat{B} + \varepsilon - X (X^\top X)^{-1} X^\top \varepsilon$,  $\varepsilon \sim N(0,
    \hat{\Sigma})$,  $\hat{\Sigma} = \frac{1}{n} (Y - X \hat{B})^\top (Y - X \hat{B})$

    Use it when coefficients must be those of the original and residual variances may differ; ipso-c keeps both.

    Excludes nothing: a normal draw can take any size.
    """
    def __init__(self, *, given: tuple[str, ...] | None = None) -> None:
        """given: attributes to condition on; by default other keys, confidential ones and weights; empty: none"""

class IpsoC(_IpsoC):
    r"""Replace attributes by draws from their regression on others, made to have exactly the same estimates.

    The regression coefficients and the residual covariances of the synthetic values are those of the original, and so
    are all means and all covariances of the replaced and the given attributes, until values are rounded or clipped.
    Equalities that are linear survive, too. Given the other attributes, a synthetic value says nothing about the
    original one, except through these statistics: an intruder who knows all but a few records can solve for the rest.
    Survey weights are among the given attributes by default, so that weighted totals are preserved as well.

    Formula: $Y' = X \hat{B} + \tilde{Q} R$,  $Y - X \hat{B} = Q R$,  $\tilde{Q}$ an orthonormal basis of normal draws
    residualised on $X$

    Use it when users fit linear models to numbers and must get the estimates of the original.

    Excludes nothing: a normal draw can take any size.
    """
    def __init__(self, *, given: tuple[str, ...] | None = None) -> None:
        """given: attributes to condition on; by default other keys, confidential ones and weights; empty: none"""

class KDegreeAnonymity(_KDegreeAnonymity):
    r"""Add edges so that every degree occurs at least `group_size` times, as few as possible.

    A dynamic programme finds the anonymous degree sequence of least change; edges are added between the nodes that need
    most of them. Where no graph with the original's edges has the sequence, single edges are moved, and where none has
    it at all, the lowest degrees are raised by one and the programme runs again (probing).

    Formula: $\min \sum_v (d'_v - d_v)$,  $d'_v \ge d_v$ and $|\{u : d'_u = d'_v\}| \ge k$ for every $v$

    Use it when an intruder may know how many links people have, and the links themselves should stay.

    Excludes nothing by itself: a node that needs an edge may get one to any other node. Degrees only rise.
    """
    def __init__(self, *, group_size: int = 5) -> None:
        """group_size: nodes that share each degree, at least (the paper's k); at least 1"""

class KNeighbourhoodAnonymity(_KNeighbourhoodAnonymity):
    r"""Add edges so that for every node at least `group_size` − 1 others have neighbours linked in the same way.

    Nodes of large neighbourhoods come first: each is grouped with similar ones, and the links that one member has among
    its neighbours are added to the others. An added edge may change groups that were complete, so that in dense graphs
    many edges are added. Patterns are compared by refinement, which is exact up to five neighbours and nearly so above.

    Formula: $E' \supseteq E$ with $|\{u : G'[N'(u)] \cong G'[N'(v)]\}| \ge k$ for every $v$

    Use it when whole neighbourhoods may be known, in sparse graphs of up to 2,000 nodes.

    Excludes nothing: any two nodes may have been linked. Degrees only rise.
    """
    def __init__(self, *, group_size: int = 3) -> None:
        """group_size: nodes with the same neighbourhood, at least (the paper's k); at least 1"""

class LaplaceNoise(_LaplaceNoise):
    r"""Add to each value Laplace noise as large as the whole range of the attribute divided by ε.

    Each value is ε-differentially private by itself: a released row has nearly the same distribution whatever the
    person's value was. The noise is therefore large: single values are useful only at a large ε, and the file is suited
    to means over many records. Values beyond the bounds are moved to the nearest one. The noise comes from OpenDP and
    the operating system, so no seed repeats it. The losses of several attributes add up.

    Formula: $x' = x + \mathrm{Lap}(\frac{\Delta}{\varepsilon})$,  $\Delta = \text{upper} - \text{lower}$

    Use it when a formal guarantee is asked for and users compute means or totals of many records.

    Excludes nothing: a Laplace disturbance can take any size.
    """
    def __init__(self, *, lower: tuple[float, ...] = (), upper: tuple[float, ...] = (), epsilon: float = 1.0) -> None:
        """lower: smallest possible value of each attribute, in the order named; none: as declared by the edits of
            the schema
        upper: largest possible value of each attribute, in the order named; none: as declared by the edits of the
            schema
        epsilon: privacy loss of each attribute (ε); at least 1e-06
        """

class LinkedSuppression(_LinkedSuppression):
    """Suppress the values of linked attributes in every record in which a leading attribute is missing.

    A region that was suppressed is disclosed by the district, and an occupation by its code: the step comes after the
    one that suppresses the leading attribute and repeats its pattern on the linked ones (ghost variables in sdcMicro).
    Nothing else changes. Linked attributes that are swapped are named together in aggregated-rank-swapping or
    record-swapping, which move all of them by the same permutation.

    Formula: x′ᵢⱼ = missing if the leading attribute is missing in record i, else xᵢⱼ

    Use it when a suppressed key can be read from another attribute.
    """
    def __init__(self, *, leading: str = "") -> None:
        """leading: attribute whose missing values the others follow; without one, the first one named"""

class LocalGeneralisation(_LocalGeneralisation):
    r"""Generalise records in rounds, those first that need the least, so that k share every combination of keys.

    Each round searches the lattice of levels for the node of least loss on which a share of the remaining records is in
    classes that satisfy the models; these records are released at that node. Records that no round releases join the
    class in which they cost least, or are suppressed up to the limit. Classes are then dissolved where their records
    cost less in other classes, and each class is published as the lowest nodes that its records have in common. Equal
    values may therefore be published at different levels. A missing value is a value of its own: where a class mixes it
    with others, the attribute is missing for the whole class. Only rows with identical published values form a class,
    so that a missing value does not count as agreeing with every value, and the models are measured again on the
    release. Records outside the research subset lose all keys.

    Formula: $\ell_r = \operatorname{argmin}_\ell \{\text{loss}(\ell) : \sum_{E \models \text{models}} |E| \ge
    \text{share} \cdot \text{remaining}\}$ in rounds $r = 1, 2, \ldots$;  the classes $E$ that meet the models are
    released

    Use it when as little detail as possible may be lost under k-anonymity or stricter models and analysts can work with
    values at mixed levels; where all records need the same level, use optimal-generalisation.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        suppression: float = 0.0,
        models: Models | str = ...,
        subset: str = "",
        loss: GeneralisationLoss | str = ...,
        importance: ByAttribute | str = ...,
        min_levels: ByAttribute | str = ...,
        max_levels: ByAttribute | str = ...,
        suppression_price: float = 1.0,
        share: float = 0.01,
    ) -> None:
        """group_size: records that share each combination of keys (the papers' k); at least 1
        suppression: largest share of the records to suppress; 0 to 1
        models: further models that every class must satisfy, such as distinct-l-
            diversity(3)+t-closeness(0.2+income); see the guide on anonymity models
        subset: column that is 1, true or yes for the records to release; the others are the population (research
            subset)
        loss: what is minimised: ncp, precision or entropy
        importance: weights of attributes in the loss, 1 by default: age=2+sex=0.5
        min_levels: lowest level of attributes, 0 by default: age=1
        max_levels: highest level of attributes, the root by default: age=2
        suppression_price: loss of a suppressed cell, where the root counts 1; at least 0
        share: smallest share of the remaining records that a round releases; 0 to 1
        """

class LocalRecoding(_LocalRecoding):
    r"""Replace the values that few records have by their ancestor some levels up the hierarchy.

    Common values are unchanged, so less is lost than by recoding all values; the file then mixes levels. An ancestor
    that is still rare is published nevertheless. A missing value stays missing.

    Formula: $x' =$ the ancestor of $x$, $\ell$ levels up, if $|\{i : x_i = x\}| < t$, else $x' = x$

    Use it when a few values of a large domain are rare, such as the postcodes of villages.
    """
    def __init__(self, *, threshold: int = 5, levels: int = 1) -> None:
        """threshold: values that fewer records have are recoded (the paper's t); at least 0
        levels: levels up the hierarchy that they are recoded; at least 0
        """

class LocalSuppression(_LocalSuppression):
    r"""Suppress few values, so that at least k records agree with each record on the keys.

    By default a missing value agrees with every value, also one that was missing in the original; measures give the
    figure by this rule and by a stricter one, and the stricter one counts. Rare records lose the cheapest sufficient
    set of values, the rarest first; where importance is equal, the attribute with the most categories is suppressed
    first. With `known`, enough records agree on every set of that many attributes, and with `subsets` on each of the
    sets named, not necessarily on all at once; as a suppression never lowers a frequency, what holds for one set still
    holds after the next. With `strata`, enough records agree within each stratum. With an `alpha` below 1, a record
    that agrees only through a missing value counts for that part of one. What is published is true, and no value is
    invented.

    By this rule a record without any key agrees with all others, so a few empty records would formally be enough; each
    record loses no more than it needs, which avoids that.

    The usual rule also counts rows that contradict a known record: where it counts three rows, only one may be
    possible. Two stricter rules need more suppressions, which the notes of a release compare. With `holes=own-value` at
    least k rows have the same values and the same missing values: an intruder who repeats the suppression on the known
    file learns which values each record lost, and still cannot distinguish these rows. With `holes=candidates` at least
    k rows can belong to each record, which needs fewer suppressions but does not protect against that intruder.

    Formula: $|\{j : x'_j \text{ agrees with } x'_i \text{ on all keys that both have}\}| \ge k$ for every $i$,  $\sum$
    importance of the suppressed values small

    Use it when few records are rare, and missing values in these are better than coarser values in all.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        importance: tuple[float, ...] = (),
        subsets: tuple[str, ...] = (),
        strata: str = "",
        alpha: float = 1.0,
        known: int = 0,
        holes: Holes | str = ...,
    ) -> None:
        """group_size: records that must agree with each one on the keys (the papers' k); at least 1
        importance: what losing a value of each attribute costs, in the order they are named; by default 1 each;
            at least 0
        subsets: sets of attributes on which k records must agree, such as sex*age+sex*region; by default all at
            once
        strata: attribute in each of whose categories k records must agree, such as the region
        alpha: what a record that agrees only through a missing value counts, 0 to 1; 0 to 1
        known: how many of the attributes an intruder knows at once; 0: all of them; at least 0
        holes: what a missing key agrees with: any-value, own-value or candidates
        """

class Mdav(_Mdav):
    r"""Group the record farthest from the average with its nearest ones, then the one opposite; publish means.

    Every group has k to 2k − 1 records, where k is `group_size`, so nobody is unique on the masked attributes. Means
    and sums are kept, variances shrink. Attributes are standardised for the distance; ties go to the lower record
    number. A missing value stays missing and is left out of distances and means; a group with too few values of an
    attribute is averaged together with the nearest such group. Ordered categories are averaged by their lower median
    and unordered ones by their mode, at a distance of 0 to 1 between two of them.

    Formula: $x'_i = \frac{1}{|G|} \sum_{j \in G} x_j$,  $i \in G$,  $k \le |G| \le 2k - 1$

    Use it when nobody may be unique on several attributes together (k-anonymity on them), and means and totals must be
    unchanged.
    """
    def __init__(self, *, group_size: int = 3, block_size: int = 0) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        """

class Microhybrid(_Microhybrid):
    r"""Cluster the records by MDAV and replace the values inside each cluster by IPSO-C.

    Means and covariances are those of the original inside every cluster, and therefore in the whole file, until values
    are rounded or clipped. A `group_size` of 1 is the original file and that of the whole file is IPSO-C: small
    clusters keep records near their own values. With attributes in `given` the clusters are formed on these, too, and
    their regression inside each cluster is preserved (R-microhybrid). A cluster needs 2 |Y| + |X| + 1 records, where
    Y is replaced and X given.

    Formula: $Y'_C = X_C \hat{B}_C + \tilde{Q}_C R_C$ in each cluster $C$ of $\mathrm{MDAV}(Y, X, k)$,  $Y_C - X_C
    \hat{B}_C = Q_C R_C$

    Use it when subgroups matter: statistics of any set of whole clusters are exact.

    Excludes nothing: a normal draw can take any size.
    """
    def __init__(self, *, given: tuple[str, ...] | None = (), group_size: int = 25) -> None:
        """given: attributes whose regression inside each cluster is preserved; left out: none
        group_size: smallest number of records in a cluster (the papers' k); at least 1
        """

class MondrianRelaxed(_MondrianRelaxed):
    r"""Halve the file by rank into groups of at least k records and publish what the records of a group have in common.

    As strict Mondrian, but a part is cut in two equal halves even through records of the same value. Groups have fewer
    than 2k records, unless all are alike or a condition on confidential values keeps them larger, and may overlap at
    their borders. A missing value stays missing and agrees with every value; under models, or with own-value, it is a
    value of its own. Records outside the research subset lose all keys.

    Formula: $G \to G_{\text{lower half}}, G_{\text{upper half}}$ by the widest attribute of $G$,  while $|G| \ge 2k$

    Use it when attributes have many equal values, such as ages in years or codes, and small groups matter more than
    groups that do not overlap.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        diversity: int = 1,
        closeness: float = 1.0,
        models: Models | str = ...,
        subset: str = "",
        holes: Holes | str = ...,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        diversity: smallest number of distinct values of each confidential attribute in a group (l-diversity); at
            least 1
        closeness: largest distance of a confidential attribute's distribution in a group from the file's
            (t-closeness); 0 to 1
        models: further models that every class must satisfy, such as distinct-l-
            diversity(3)+t-closeness(0.2+income); see the guide on anonymity models
        subset: column that is 1, true or yes for the records to release; the others are the population (research
            subset)
        holes: what a missing key counts as: any-value, or own-value: then an attribute that is missing in a part
            of a group is missing in all of it, as is always so under models, diversity, closeness and subset
        """

class MondrianStrict(_MondrianStrict):
    r"""Cut the file at medians into boxes of at least k records and publish what the records of a box have in common.

    Each part is cut by the attribute in which it is widest, relative to the whole, equal values on one side, as long as
    both sides keep at least k records and, if asked, enough distinct confidential values or a distribution of them near
    the file's. A group's numbers are replaced by their mean and its categories by their lowest common ancestor in the
    hierarchy, or `*` where there is none. A missing value stays missing and agrees with every value, and by this rule
    the release is k-anonymous; under models, or with own-value, it is a value of its own. Records outside the research
    subset lose all keys.

    Formula: $G \to \{x \le m\}, \{x > m\}$,  $m$ the median of the widest attribute of $G$,  while both sides have $k$
    records

    Use it when k-anonymity on keys of mixed kinds is needed quickly and on large files; many equal values leave larger
    groups than the relaxed variant.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        diversity: int = 1,
        closeness: float = 1.0,
        models: Models | str = ...,
        subset: str = "",
        holes: Holes | str = ...,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        diversity: smallest number of distinct values of each confidential attribute in a group (l-diversity); at
            least 1
        closeness: largest distance of a confidential attribute's distribution in a group from the file's
            (t-closeness); 0 to 1
        models: further models that every class must satisfy, such as distinct-l-
            diversity(3)+t-closeness(0.2+income); see the guide on anonymity models
        subset: column that is 1, true or yes for the records to release; the others are the population (research
            subset)
        holes: what a missing key counts as: any-value, or own-value: then an attribute that is missing in a part
            of a group is missing in all of it, as is always so under models, diversity, closeness and subset
        """

class MultiplicativeNoise(_MultiplicativeNoise):
    r"""Multiply each value by its own log-normal factor of mean 1: large values move much, small ones little.

    Means are kept in expectation. The factor is positive, so zeros stay zeros and signs stay signs: an attribute with
    zeros shows which records have them.

    Formula: $x' = x \cdot \exp(\sigma z - \frac{\sigma^2}{2})$,  $z \sim N(0, 1)$,  $\sigma^2 = \ln(1 + s^2)$

    Use it when amounts are skewed, such as turnover, and large and small values need the same relative error.
    """
    def __init__(self, *, deviation: float = 0.1) -> None:
        """deviation: standard deviation of the factor (s); at least 0"""

class MultivariateTopCoding(_MultivariateTopCoding):
    """Move records that are outlying in several attributes together to the edge of where most records are.

    The edge is the ellipsoid of constant robust Mahalanobis distance that contains 1 − `share` of a normal
    distribution. A record beyond it moves straight towards the robust centre until it is on the ellipsoid; all others
    are unchanged. A record that is extreme in no single attribute but unusual in their combination is coded, too, such
    as that of a young person with a high pension. Two records in the same direction from the centre become equal. A
    missing value stays missing, and its record is judged by the values that it has.

    Formula: x′ = c + (x − c) · min(1, √(q / d²)),  d² = (x − c)ᵀ S⁻¹ (x − c),  q the (1 − share) quantile of χ²

    Use it when outliers are recognisable by combinations of values, and the bulk of the records must stay unchanged.
    """
    def __init__(self, *, share: float = 0.025) -> None:
        """share: share of a normal distribution that is beyond the edge; 1e-06 to 0.5"""

class OptimalGeneralisation(_OptimalGeneralisation):
    r"""Generalise each key to one level of its hierarchy, so that k records share every combination at the least loss.

    All combinations of levels are searched by branch and bound, so that the one of least loss is found, or one with a
    proven gap to it where the search stops early. Under k-anonymity and other models that a larger class cannot
    violate, whoever is suppressed at some levels is suppressed at all finer ones, which rules out most combinations
    without counting them; of other models this is used only where nothing is suppressed. Records in classes that do
    not satisfy the models are suppressed, all their keys made missing, as long as these are no more than `suppression`
    allows. An attribute without a hierarchy is published in full or as `*` throughout. A missing value stays missing
    and is grouped with the root, which is missing, too, where an attribute has missing values, so that the rows of a
    class look the same. Records outside the research subset lose all keys.

    Formula: $\min_\ell \frac{1}{\text{cells}} \sum \text{loss}(\ell)$,  $\text{loss} = \frac{\text{leaves below the
    node} - 1}{\text{leaves} - 1}$, or 1 if suppressed

    Use it when every record must have the same level of detail, so that tables can be compared, and as little as
    possible may be lost by it.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        suppression: float = 0.05,
        models: Models | str = ...,
        subset: str = "",
        loss: GeneralisationLoss | str = ...,
        importance: ByAttribute | str = ...,
        min_levels: ByAttribute | str = ...,
        max_levels: ByAttribute | str = ...,
        suppression_price: float = 1.0,
        max_checked: int = 100000,
    ) -> None:
        """group_size: records that share each combination of keys (the papers' k); at least 1
        suppression: largest share of the records to suppress; 0 to 1
        models: further models that every class must satisfy, such as distinct-l-
            diversity(3)+t-closeness(0.2+income); see the guide on anonymity models
        subset: column that is 1, true or yes for the records to release; the others are the population (research
            subset)
        loss: what is minimised: ncp, precision or entropy, means over cells; discernibility or class-size, of the
            classes
        importance: weights of attributes in the loss, 1 by default: age=2+sex=0.5
        min_levels: lowest level of attributes, 0 by default: age=1
        max_levels: highest level of attributes, the root by default: age=2
        suppression_price: loss of a suppressed cell, where the root counts 1; at least 0
        max_checked: combinations of levels that are counted before the search stops with a proven gap; at least 1
        """

class OptimalUnivariate(_OptimalUnivariate):
    r"""Partition each attribute by itself into groups with the least sum of squared errors, and publish group means.

    Groups are runs in the order of the values, so very little is lost, but nobody is protected across attributes: an
    intruder who knows two or three of them mostly re-identifies the record. A missing value stays missing. Equal values
    are interchangeable; of partitions with equal loss the one with the larger last group is taken.

    Formula: $\min \sum_G \sum_{i \in G} (x_i - \bar{x}_G)^2$,  $k \le |G| \le 2k - 1$,  $G$ runs of the sorted values

    Use it when a single attribute has to be blurred with the least loss; for several use a multivariate method.
    """
    def __init__(self, *, group_size: int = 3) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1"""

class OrderedMicroaggregation(_OrderedMicroaggregation):
    r"""Order the records so that near ones follow each other, cut the order into the best groups, and refine them.

    The order halves the file at the median of its widest attribute again and again; the cut is the optimal one of that
    order; then records move between near groups or are exchanged while the sum of squares falls. The cost grows about
    like n log n, where MDAV's grows like n². Means and sums are kept. Attributes are standardised.

    Formula: $\min \sum_G \sum_{i \in G} \lVert x_i - \bar{x}_G \rVert^2$,  $k \le |G| \le 2k - 1$, $G$ runs of the
    order, then a local minimum

    Use it when the file has hundreds of thousands of records or more.
    """
    def __init__(self, *, group_size: int = 3, block_size: int = 0) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        """

class PartialTrees(_PartialTrees):
    r"""Replace attributes one after the other by draws from the leaf of a tree on the others.

    Rows are kept and the given attributes are released unchanged, so that an intruder who knows these re-identifies
    records by them; what the synthesis protects are the replaced values. A missing value stays missing, and one of a
    given attribute is a value of its own. Without smoothing every number is one of the original file. Edits are kept:
    what an equality determines is computed, and rows that break another edit are drawn again.

    Formula: $y'_j \sim \hat{F}_j(\cdot \mid \text{leaf})$,  the leaf of $x, y'_1, \ldots, y'_{j-1}$ in the tree of
    $y_j$ on $x, y_1, \ldots, y_{j-1}$

    Use it when only some attributes are sensitive or identifying, and the others must be unchanged.

    Excludes nothing: small leaves make some rows unlikely, and none is promised to be impossible.
    """
    def __init__(self, *, leaf_size: int = 20, smoothing: bool = True, given: tuple[str, ...] | None = None) -> None:
        """leaf_size: smallest number of records in a leaf; at least 1
        smoothing: whether numbers are drawn between the neighbouring values of a leaf
        given: attributes to condition on; by default other keys, confidential ones and weights; empty: none
        """

class Pram(_Pram):
    r"""Change each category to another at random, by a published matrix of transition probabilities.

    A value is unchanged with a given probability and else becomes any other value of the file, all equally likely. With
    `levels` it only becomes one that shares its ancestor that many levels up the hierarchy; other transitions have
    probability 0. Counts are biased towards equal frequencies; an analyst who has the matrix obtains unbiased counts by
    its inverse (`unbiased_counts`). A missing value stays missing.

    Formula: $\Pr[x' = b \mid x = a] = P_{ab}$,  $P_{aa} = \text{stay}$,  $\hat{T} = (P^\top)^{-1} T'$

    Use it when no released category may be certain for anybody, and users must still be able to estimate tables.
    """
    def __init__(self, *, stay: float = 0.8, levels: int = 0) -> None:
        """stay: probability that a value is unchanged; 0 to 1
        levels: levels up to the ancestor that a new value must share; 0: any value is possible; at least 0
        """

class PrincipalComponentProjection(_PrincipalComponentProjection):
    r"""Order the records by the first principal component of the standardised attributes, and group them optimally.

    No other axis explains more of the variance; the variation that it does not explain is ignored. For two positively
    correlated attributes the order is that of the sum of z-scores. The sign of the axis does not matter.

    Formula: $p(x) = \sum_j e_j \cdot \frac{x_j - \mu_j}{\sigma_j}$,  $e$ the first eigenvector of the correlation
    matrix

    Use it when the attributes of a block move together, so that one axis explains most of the variance.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        ties: Ties | str = ...,
        space: GroupSpace | str = ...,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        ties: order of records with the same projection: by-value, file-order or random
        space: where groups have the least squared error: axis (the projections) or attributes (the standardised
            values)
        """

class RandomRounding(_RandomRounding):
    r"""Replace each value by the multiple of a base below or above it, the nearer one with the greater probability.

    The expected value is the value itself, so means and totals are kept in expectation. A value that is a multiple
    stays. A missing value stays missing.

    Formula: $x' = b \cdot (\lfloor \frac{x}{b} \rfloor + B)$,  $\Pr[B = 1] = \frac{x}{b} - \lfloor \frac{x}{b} \rfloor$

    Use it when totals of rounded amounts must be unbiased.
    """
    def __init__(self, *, base: float = 10.0) -> None:
        """base: distance between published values, in the attribute's unit; at least 1e-09"""

class RandomisedResponse(_RandomisedResponse):
    r"""Keep each category with a probability given by ε, and otherwise release another of the declared ones.

    No released category is more than e^ε times as likely for one person as for another, so each value is
    ε-differentially private by itself. The matrix depends on the number of categories alone, which have to be public:
    declare them in the schema. PRAM with an invariant matrix depends on the data and has no such limit. Counts are
    biased towards equal frequencies; an analyst who has the matrix obtains unbiased counts by its inverse. The losses
    of several attributes add up.

    Formula: $\Pr[x' = a \mid x = a] = \frac{e^{\varepsilon}}{e^{\varepsilon} + c - 1}$,  any other $b$:
    $\frac{1}{e^{\varepsilon} + c - 1}$,  $c$ categories

    Use it when single answers must be deniable and users estimate shares.

    Excludes nothing: any category may be released for any person.
    """
    def __init__(self, *, epsilon: float = 1.0) -> None:
        """epsilon: privacy loss of each attribute (ε); 0 to 50"""

class RankSwapping(_RankSwapping):
    r"""Swap each value with that of a record whose rank in the same attribute is near.

    Attributes are swapped independently: every univariate statistic survives exactly, correlations weaken as the window
    widens. An intruder who knows the window knows that no value moved further than it.

    Formula: $x'_{(i)} = x_{(j)}$ and $x'_{(j)} = x_{(i)}$,  $|i - j| \le p \cdot n$

    Use it when each attribute's distribution has to be unchanged and relations between attributes matter less; note
    that with many attributes a known window leaves an intruder few possible rows.
    """
    def __init__(self, *, window: float = 0.05) -> None:
        """window: widest rank gap, as a share of the records (the papers' p%); 0 to 1"""

class RankSwappingBuckets(_RankSwappingBuckets):
    r"""Cut the sorted values into buckets and swap each with one from a bucket whose probability halves outwards.

    Every univariate statistic survives exactly. Attributes are swapped independently; a missing value stays missing.

    Formula: $\Pr[\text{a value of bucket } r \text{ swaps with one of bucket } s \ge r] \propto 2^{-(s - r + 1)}$,
    uniform within $s$

    Use it when rank swapping is needed and method and parameters will be published.

    Excludes nothing: any value can swap with any other, so the intersection attack excludes nothing.
    """
    def __init__(self, *, buckets: int = 20) -> None:
        """buckets: number of buckets (the paper's p); more buckets swap nearer values; at least 1"""

class RankSwappingDistribution(_RankSwappingDistribution):
    r"""Swap each value with one of higher rank, the gap normal with mean and standard deviation of half the window.

    Every univariate statistic survives exactly. Attributes are swapped independently; a missing value stays missing.

    Formula: $x'_{(i)} = x_{(i + r)}$ and $x'_{(i + r)} = x_{(i)}$,  $r$ drawn from $N(\frac{w}{2}, (\frac{w}{2})^2)$
    and rounded,  $w = p \cdot n$

    Use it when rank swapping is needed with gaps about those of a window, and method and parameters will be published.

    Excludes nothing: a normal number has no bound, so a value can go to any rank.
    """
    def __init__(self, *, window: float = 0.05) -> None:
        """window: twice the mean rank gap, as a share of the records (the paper's p%); 0 to 1"""

class RecordSwapping(_RecordSwapping):
    r"""Swap the attributes, such as the region, of rare records with those of similar records elsewhere.

    A unit is a household where the file has them, else a record. Units with a member whose keys fewer than `rare`
    records share are swapped first, then others until `share` of the units are. A partner is of the same size, agrees
    on the `similar` and `within` attributes of its first record, and has other values to swap, which all members of a
    unit get. The tables of the swapped attributes by size and by the strata are unchanged.

    Formula: $(a_u, a_v) \to (a_v, a_u)$,  $u$ risky first,  size, similar and within equal in $u$ and $v$,  $a_u \ne
    a_v$

    Use it when tables by region must be exact and rare households must not be re-identified in their region.

    Excludes nothing: any unit may have been swapped.
    """
    def __init__(
        self,
        *,
        share: float = 0.05,
        rare: int = 3,
        similar: tuple[str, ...] = (),
        within: tuple[str, ...] = (),
    ) -> None:
        """share: share of the units to swap, at least; 0 to 1
        rare: a combination of keys that fewer records have is risky (the papers' k); at least 0
        similar: attributes on which partners must agree, such as the number of children
        within: attributes that mark the strata inside which to swap, such as the province
        """

class RefinedMicroaggregation(_RefinedMicroaggregation):
    r"""Start from MDAV's groups, and move and exchange records between near groups while the sum of squares falls.

    The sum of squares is never larger than MDAV's and usually well below it, with the same guarantee: every group has k
    to 2k − 1 records, where k is `group_size`. Means and sums are kept, variances shrink. Attributes are standardised;
    the seed decides the order in which records are tried.

    Formula: $\min \sum_G \sum_{i \in G} \lVert x_i - \bar{x}_G \rVert^2$,  $k \le |G| \le 2k - 1$, to a local minimum

    Use it when the loss matters and the file has up to some hundred thousand records; above, take
    ordered-microaggregation.
    """
    def __init__(self, *, group_size: int = 3, block_size: int = 0) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        """

class ResearchSubset(_ResearchSubset):
    r"""Publish the records whose value in a column is 1, true or yes, and drop the others.

    The records that are dropped belong to the population among which the published ones cannot be distinguished: a
    generalisation with the same `subset` counts them for k-map and δ-presence before this step drops them. Values and
    weights are unchanged.

    Formula: $S = \{i : x_i \text{ is true}\}$

    Use it when a study gets a part of a register, after the register was generalised with `subset`.
    """
    def __init__(self, *, column: str = "") -> None:
        """column: column that is 1, true or yes for the records to publish; without one, all are"""

class RiskSuppression(_RiskSuppression):
    """Suppress values in the records whose individual risk exceeds a threshold, until it does not.

    The risk of a record is the expected 1 / F over the persons of the population who agree with it on the keys, by the
    sampling weights as in individual-risk; without weights it is 1 / f in the file. In rounds, every record above the
    threshold loses the next value, by default that of the key with the most categories. A missing value agrees with
    every value, so a suppression never raises the risk of another record. With `suppressed` only these keys are lost,
    in the order named, and some records may stay above the threshold, as the notes say. It is the counterpart of
    sdcMicro's `localSupp`.

    Formula: E(1 / Fᵢ | fᵢ) ≤ threshold,  fᵢ and F̂ᵢ counted over the records that agree on all keys that both have

    Use it when the file is a survey with weights: a sample unique that stands for many persons need not lose anything.
    """
    def __init__(self, *, threshold: float = 0.1, suppressed: tuple[str, ...] = ()) -> None:
        """threshold: largest individual risk that a record may have; 1e-06 to 1
        suppressed: keys whose values may be removed, in this order; by default all of them
        """

class RobustMicroaggregation(_RobustMicroaggregation):
    """Group records as MDAV does, near by robust Mahalanobis distances, and publish group means.

    Centre and covariance matrix are those of the bulk of the records (minimum covariance determinant): outliers decide
    neither the scale of an attribute nor which attributes count as correlated, so the distance reflects the variation
    of the bulk. Every group has k to 2k − 1 records, where k is `group_size`. Means and sums are kept, variances
    shrink. A missing value stays missing and adds nothing to the distance from the centre. It is the counterpart of the
    method `rmd` of sdcMicro.

    Formula: d²(x, y) = (x − y)ᵀ · S⁻¹ · (x − y),  S the covariance matrix of least determinant of half the records

    Use it when attributes are skewed and correlated, as turnover, staff and wages of firms.
    """
    def __init__(self, *, group_size: int = 3, block_size: int = 0) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        """

class Romm(_Romm):
    r"""Rotate the residuals of a regression by a random orthogonal matrix, near the identity or far from it.

    All means and covariances of the replaced and the given attributes are those of the original, until values are
    rounded or clipped. `perturbation` 0 is the original file and infinity is IPSO-C; between them a released residual
    has a correlation of 1 / √(1 + λ²) with the original one. Linkage falls steeply with it: of 1,000 records most are
    re-identified at 0.1 and few at 1.

    Formula: $Y' = X \hat{B} + \tilde{Q} R$,  $Y - X \hat{B} = Q R$,  $\tilde{Q}$ the basis of $Q + \lambda
    \frac{N}{\sqrt{n}}$ residualised on $X$,  $N$ normal

    Use it when linear estimates must be exact and records should resemble the original ones to a chosen degree.

    Excludes nothing: a normal draw can take any size.
    """
    def __init__(self, *, given: tuple[str, ...] | None = None, perturbation: float = 1.0) -> None:
        """given: attributes to condition on; by default other keys, confidential ones and weights; empty: none
        perturbation: size of the random part beside the original residuals (the papers' λ); inf: nothing of them
            is left; at least 0, or inf
        """

class Rounding(_Rounding):
    r"""Replace each value by the nearest multiple of a base; halves go up.

    The base is in the attribute's own unit. Every value is off by at most half a base, which an intruder who knows the
    base knows, too. Totals can be biased, since equal values are all rounded in the same direction. A missing value
    stays missing.

    Formula: $x' = b \cdot \lfloor \frac{x}{b} + \frac{1}{2} \rfloor$

    Use it when an intruder who knows an exact amount could re-identify the record, and rounded amounts are as useful.
    """
    def __init__(self, *, base: float = 10.0) -> None:
        """base: distance between published values, in the attribute's unit; at least 1e-09"""

class SequentialTrees(_SequentialTrees):
    r"""Draw new records attribute by attribute, each from the leaf of a tree that the attributes before it lead to.

    The first attribute is drawn from its own distribution. Trees follow relations of any form, and categories, numbers
    and missing values are drawn alike; what an edit determines is computed, and rows that break one are drawn again.
    Without smoothing every number is one of the original file, and small leaves repeat several of one record: with
    `smoothing` a number is drawn between two neighbouring ones of its leaf. The notes of a release give the share of
    rows that carry two or more numbers of one record. Survey weights are drawn as an attribute like the others.

    Formula: $x'_1 \sim \hat{F}_1$, $x'_j \sim \hat{F}_j(\cdot \mid \text{leaf})$,  the leaf of $x'_1, \ldots, x'_{j-1}$
    in the tree of $x_j$ on $x_1, \ldots, x_{j-1}$

    Use it when a file of categories and numbers is published as a whole and relations between attributes matter.

    Excludes nothing: no row belongs to a record.
    """
    def __init__(self, *, size: float = 1.0, leaf_size: int = 20, smoothing: bool = True) -> None:
        """size: number of synthetic records, as a multiple of the original ones; at least 0
        leaf_size: smallest number of records in a leaf; at least 1
        smoothing: whether numbers are drawn between the neighbouring values of a leaf
        """

class SimpleSampling(_SimpleSampling):
    r"""Publish a random share of the records, or of the households, and drop the others.

    An intruder who finds a unique match cannot be sure that the person sought is in the sample at all. Values are
    unchanged, so the risk of rare records in the sample is unchanged, too. Survey weights are raised to represent the
    whole file. The records keep their order.

    Formula: $S$ drawn uniformly among all sets of $\lceil s \cdot N \rceil$ units,  $w'_i = w_i \cdot \frac{N}{|S|}$

    Use it when the file is a census or close to one, before any other masking.
    """
    def __init__(self, *, share: float = 0.5) -> None:
        """share: share of the units to publish; 0 to 1"""

class SpatialGraph(_SpatialGraph):
    """Draw a synthetic graph with the degrees of the original, whose edges join nodes that are near on a map.

    Nodes are placed by a density with a number of towns; those of high degree first, each is linked to near nodes that
    still need edges. Surplus edges (loops and repeated ones) are exchanged with others at the least added length, so
    degrees are exact. Clustering is high, as in social networks, while no edge of the original is used.

    Formula: $d'_v = d_v$ for every $v$;  edge lengths about least

    Use it when a graph that looks like a social network is needed, with these degrees and no real link.

    Weights are those of the original's edges, in random order.

    Excludes nothing: any two nodes may be near.
    """
    def __init__(self, *, towns: int = 10, reach: float = 0.3) -> None:
        """towns: towns of the density that places the nodes; 1: one round cloud; at least 1
        reach: how far an edge may pass over nearer nodes; 0: the nearest free node; at least 0
        """

class StratifiedSampling(_StratifiedSampling):
    r"""Publish a random share of the records, or of the households, of every stratum, and drop the others.

    Small strata stay in the file: at least `min_records` units of each, which makes these easier to re-identify.
    A household belongs to the stratum of its first record. Survey weights are raised to represent their stratum. The
    records keep their order.

    Formula: in stratum $h$, $S_h$ drawn uniformly among all sets of $\min(N_h, \max(m, \lceil s \cdot N_h \rceil))$
    units,  $w'_i = w_i \cdot \frac{N_h}{|S_h|}$,  $m$ the least number of units

    Use it when users compare groups, such as regions, and each has to be represented in its proportion.
    """
    def __init__(self, *, share: float = 0.5, strata: tuple[str, ...] = (), min_records: int = 1) -> None:
        """share: share of the units of each stratum to publish; 0 to 1
        strata: attributes whose combinations are the strata; none takes the categorical keys
        min_records: smallest number of units of each stratum to publish; at least 0
        """

class SufficiencyHybrid(_SufficiencyHybrid):
    r"""Mix each record with synthetic values that leave all means and covariances exactly unchanged.

    The means, the covariances and the regression coefficients of the replaced and the given attributes are those of the
    original, until values are rounded or clipped. `similarity` 1 is the original file and 0 is IPSO-C; between them it
    is the correlation of a released residual with the original one.

    Formula: $Y' = X \hat{B} + a E + \sqrt{1 - a^2} \tilde{Q} R$,  $E = Y - X \hat{B} = Q R$,  $\tilde{Q}$ a basis of
    draws residualised on $X$ and $E$

    Use it when linear estimates must be exact and each record should stay near its own values to a chosen degree.

    Excludes nothing: a normal draw can take any size.
    """
    def __init__(self, *, given: tuple[str, ...] | None = None, similarity: float = 0.5) -> None:
        """given: attributes to condition on; by default other keys, confidential ones and weights; empty: none
        similarity: weight of the original residual, which is its correlation with the released one (the papers'
            α); 0 to 1
        """

class SugenoProjection(_SugenoProjection):
    r"""Order the records by the Sugeno integral of their scaled attributes, and group them optimally in that order.

    The integral takes few distinct values, so that many records tie; by default these are ordered by their values,
    first attribute first. More is lost than with a linear axis, and an intruder re-identifies more records. For another
    quantifier than a power take aggregation-projection with sugeno(…).

    Formula: $p(x) = \max_i \min(Q(\frac{i}{v}), s_{(i)})$,  $s_{(1)} \ge \ldots \ge s_{(v)}$,  $Q(x) =
    x^{\text{exponent}}$

    Use it when a record's level is what enough of its attributes reach, rather than their average.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        ties: Ties | str = ...,
        space: GroupSpace | str = ...,
        exponent: float = 1.0,
        scaling: Scaling | str = ...,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        ties: order of records with the same projection: by-value, file-order or random
        space: where groups have the least squared error: axis (the projections) or attributes (the standardised
            values)
        exponent: the quantifier's exponent: below 1 few attributes are enough; at least 1e-06
        scaling: how attributes are brought to 0..1: min-max, ranks or normal
        """

class TopBottomRecoding(_TopBottomRecoding):
    """Replace the values from a limit upwards by one category, such as 85+, and those below another limit by one.

    Values between the two limits are unchanged. Unlike top coding, which publishes the limit or a mean as a number, the
    file says that a value is a category. In an ordered category whose values are not numbers, a limit is a position,
    that of the first category being 1. A missing value stays missing.

    Formula: x′ = “t+” if x ≥ t, “under b” if x < b, else x

    Use it when only the extremes are recognisable, such as the ages of the very old.
    """
    def __init__(self, *, top: float = ..., bottom: float = ..., top_label: str = "", bottom_label: str = "") -> None:
        """top: the lowest value of the top category, such as 85
        bottom: the lowest value above the bottom category, such as 16
        top_label: what the top category is called, instead of 85+
        bottom_label: what the bottom category is called, instead of under 16
        """

class TopCoding(_TopCoding):
    r"""Replace the largest values of each attribute by a limit, or by their mean.

    The limit is the value that `share` of the records exceed, or `limit` if that is lower. All values up to it are
    unchanged, so only the extremes, which are the easiest to recognise, are protected. With the mean of the coded
    values the total is kept; where fewer than three values are coded, the limit is published instead. A missing value
    stays missing.

    Formula: $x' = \begin{cases} x & \text{if } x \le t \\ t & \text{otherwise} \end{cases}$,  $t = \min(\text{limit},
    Q_{1 - s})$,  instead of $t$ also the mean of all $x > t$

    Use it when a few extreme values are recognisable, such as very high ages or incomes.
    """
    def __init__(self, *, share: float = 0.05, limit: float = ..., tail_mean: bool = False) -> None:
        """share: share of the largest values to code; 0 leaves it to `limit`; 0 to 1
        limit: highest value to publish, in the attribute's unit
        tail_mean: publish the mean of the coded values instead of the limit
        """

class UncertainGraph(_UncertainGraph):
    r"""Release edges with probabilities: those of the original lose some, and as many pairs without an edge get some.

    Every edge e gets 1 − rₑ and every added pair rₑ, where rₑ is half normal, cut at 1, with standard deviation
    `noise`. Some pairs (`white_noise`) get a uniform rₑ instead, so that no probability is conclusive. Degrees are near
    the original's in expectation; whether two nodes are linked becomes uncertain.

    Formula: $p(e) = 1 - r_e$ for $e \in E$, $r_e$ for as many $e \notin E$;  $r_e \sim |N(0, \text{noise}^2)|$ on $[0,
    1]$

    Use it when analyses can take expectations over many possible graphs.

    Excludes nothing: a pair with any probability may be linked or not.
    """
    def __init__(self, *, noise: float = 0.2, white_noise: float = 0.01, added: float = 1.0) -> None:
        """noise: standard deviation of the change of a probability (σ); at least 0
        white_noise: share of the pairs whose probability is uniform; 0 to 1
        added: pairs without an edge that get a probability, as a share of the edges; at least 0
        """

class VMdav(_VMdav):
    r"""Group the record farthest from the average with its nearest ones, and let the group grow while others are near.

    A record joins a group with fewer than 2k − 1 records, where k is `group_size`, if its distance to the group is less
    than `gain` times its distance to the nearest record without a group. Natural clusters therefore stay together where
    MDAV divides them. Means and sums are kept. Attributes are standardised; ties go to the lower record number.

    Formula: $u$ joins $G$ if $\min_{g \in G} d(u, g) < \gamma \cdot \min_{w \text{ free}} d(u, w)$,  $k \le |G| \le 2k
    - 1$

    Use it when the records lie in clusters of uneven size (a `gain` near 1.1); for evenly scattered records keep `gain`
    at 0.2, or take refined-microaggregation, which loses less in both cases.
    """
    def __init__(self, *, group_size: int = 3, block_size: int = 0, gain: float = 0.2) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        gain: distance at which a record joins, as a share of that to ungrouped ones (the paper's γ); at least 0
        """

class ValueFlip(_ValueFlip):
    r"""Give a share of the records, those with the rarest keys first, another value of the attribute.

    A record's rarity is the number of records that agree with it on all the file's keys; ties are broken at random.
    With two values each becomes the other; with more, a new one is drawn among those that the file has. All other
    records keep their value. A missing value stays missing.

    Formula: $x'_i \ne x_i$ for the $p \cdot n$ records $i$ of the least frequency, $x'_i = x_i$ for the rest

    Use it when a single attribute, such as the sex, makes rare combinations recognisable; note that an intruder who
    ignores that attribute is not affected.

    Excludes nothing: any record may be one of those changed.
    """
    def __init__(self, *, share: float = 0.05, rarest: bool = True) -> None:
        """share: share of the records to change; 0 to 1
        rarest: change the records with the rarest combinations of keys instead of random ones
        """

class ZScoreProjection(_ZScoreProjection):
    r"""Order the records by the sum of their z-scores, and group them optimally in that order.

    All attributes have the same weight, whatever their units. Negatively correlated attributes cancel each other, so
    that very different records can fall into one group. σ is the standard deviation (the paper's text says variance).

    Formula: $p(x) = \sum_j \frac{x_j - \mu_j}{\sigma_j}$

    Use it when all attributes of a block are positively correlated, such as several kinds of income.
    """
    def __init__(
        self,
        *,
        group_size: int = 3,
        block_size: int = 0,
        ties: Ties | str = ...,
        space: GroupSpace | str = ...,
    ) -> None:
        """group_size: smallest number of records in a group (the papers' k); at least 1
        block_size: attributes microaggregated together, in the order named (the papers' v); 0 takes them all; at
            least 0
        ties: order of records with the same projection: by-value, file-order or random
        space: where groups have the least squared error: axis (the projections) or attributes (the standardised
            values)
        """
