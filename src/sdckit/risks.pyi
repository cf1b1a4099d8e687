"""Disclosure risks and attacks, from the catalogue: written by `make stubs`, not by hand."""

from sdckit.holes import Holes
from sdckit.risk.attribute_disclosure.attribute_inference import AttributeInference as _AttributeInference
from sdckit.risk.attribute_disclosure.delta_presence import DeltaPresence as _DeltaPresence
from sdckit.risk.attribute_disclosure.distinct_l_diversity import DistinctLDiversity as _DistinctLDiversity
from sdckit.risk.attribute_disclosure.entropy_l_diversity import EntropyLDiversity as _EntropyLDiversity
from sdckit.risk.attribute_disclosure.interval_disclosure import IntervalDisclosure as _IntervalDisclosure
from sdckit.risk.attribute_disclosure.permutation_distance import PermutationDistance as _PermutationDistance
from sdckit.risk.attribute_disclosure.record_interval_disclosure import (
    RecordIntervalDisclosure as _RecordIntervalDisclosure,
)
from sdckit.risk.attribute_disclosure.recursive_l_diversity import RecursiveLDiversity as _RecursiveLDiversity
from sdckit.risk.attribute_disclosure.sd_interval_disclosure import SdIntervalDisclosure as _SdIntervalDisclosure
from sdckit.risk.attribute_disclosure.surviving_digits import SurvivingDigits as _SurvivingDigits
from sdckit.risk.attribute_disclosure.t_closeness import TCloseness as _TCloseness
from sdckit.risk.composite.disclosure_risk import DisclosureRisk as _DisclosureRisk
from sdckit.risk.composite.worst_case import WorstCase as _WorstCase
from sdckit.risk.global_risk.maximal_disclosure_risk import MaximalDisclosureRisk as _MaximalDisclosureRisk
from sdckit.risk.global_risk.minimal_disclosure_risk import MinimalDisclosureRisk as _MinimalDisclosureRisk
from sdckit.risk.global_risk.weak_change import WeakChange
from sdckit.risk.global_risk.weighted_disclosure_risk import WeightedDisclosureRisk as _WeightedDisclosureRisk
from sdckit.risk.global_risk.weights import Weights
from sdckit.risk.graph.added_edge_detection import AddedEdgeDetection as _AddedEdgeDetection
from sdckit.risk.graph.degree_attack import DegreeAttack as _DegreeAttack
from sdckit.risk.graph.ego_network_attack import EgoNetworkAttack as _EgoNetworkAttack
from sdckit.risk.graph.hub_fingerprint_attack import HubFingerprintAttack as _HubFingerprintAttack
from sdckit.risk.graph.informed_graph_intruder import InformedGraphIntruder as _InformedGraphIntruder
from sdckit.risk.graph.known_links_attack import KnownLinksAttack as _KnownLinksAttack
from sdckit.risk.graph.ordinary_graph_intruder import OrdinaryGraphIntruder as _OrdinaryGraphIntruder
from sdckit.risk.graph.refinement_attack import RefinementAttack as _RefinementAttack
from sdckit.risk.graph.seed_propagation_attack import SeedPropagationAttack as _SeedPropagationAttack
from sdckit.risk.graph.strength_attack import StrengthAttack as _StrengthAttack
from sdckit.risk.graph.subgraph_attack import SubgraphAttack as _SubgraphAttack
from sdckit.risk.intruder.fitted_intruder import FittedIntruder as _FittedIntruder
from sdckit.risk.intruder.household_intruder import HouseholdIntruder as _HouseholdIntruder
from sdckit.risk.intruder.informed_intruder import InformedIntruder as _InformedIntruder
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder as _OrdinaryIntruder
from sdckit.risk.linkage.agreement import Criterion
from sdckit.risk.linkage.difference_mahalanobis_linkage import (
    DifferenceMahalanobisLinkage as _DifferenceMahalanobisLinkage,
)
from sdckit.risk.linkage.distance_linkage import DistanceLinkage as _DistanceLinkage
from sdckit.risk.linkage.global_linkage import GlobalLinkage as _GlobalLinkage
from sdckit.risk.linkage.kernel_linkage import KernelLinkage as _KernelLinkage
from sdckit.risk.linkage.mahalanobis_linkage import MahalanobisLinkage as _MahalanobisLinkage
from sdckit.risk.linkage.masked_mahalanobis_linkage import MaskedMahalanobisLinkage as _MaskedMahalanobisLinkage
from sdckit.risk.linkage.mixed_linkage import MixedLinkage as _MixedLinkage
from sdckit.risk.linkage.probabilistic_linkage import ProbabilisticLinkage as _ProbabilisticLinkage
from sdckit.risk.linkage.rank_linkage import RankLinkage as _RankLinkage
from sdckit.risk.synthesis.copied_values import CopiedValues as _CopiedValues
from sdckit.risk.synthesis.distance_to_closest_record import DistanceToClosestRecord as _DistanceToClosestRecord
from sdckit.risk.synthesis.donor_leaves import DonorLeaves as _DonorLeaves
from sdckit.risk.synthesis.linkability import Linkability as _Linkability
from sdckit.risk.synthesis.membership import Membership as _Membership
from sdckit.risk.synthesis.reconstruction import Reconstruction as _Reconstruction
from sdckit.risk.synthesis.singling_out import SinglingOut as _SinglingOut
from sdckit.risk.transparency.intersection_attack import IntersectionAttack as _IntersectionAttack
from sdckit.risk.transparency.posterior_attack import PosteriorAttack as _PosteriorAttack
from sdckit.risk.uniqueness.dirichlet_uniqueness import DirichletUniqueness as _DirichletUniqueness
from sdckit.risk.uniqueness.household_risk import HouseholdRisk as _HouseholdRisk
from sdckit.risk.uniqueness.ihsn_suda2 import IhsnSuda2 as _IhsnSuda2
from sdckit.risk.uniqueness.individual_risk import IndividualRisk as _IndividualRisk
from sdckit.risk.uniqueness.journalist_risk import JournalistRisk as _JournalistRisk
from sdckit.risk.uniqueness.k_anonymity import KAnonymity as _KAnonymity
from sdckit.risk.uniqueness.log_linear_risk import LogLinearRisk as _LogLinearRisk
from sdckit.risk.uniqueness.marketer_risk import MarketerRisk as _MarketerRisk
from sdckit.risk.uniqueness.pitman_uniqueness import PitmanUniqueness as _PitmanUniqueness
from sdckit.risk.uniqueness.poisson_gamma_uniqueness import PoissonGammaUniqueness as _PoissonGammaUniqueness
from sdckit.risk.uniqueness.population_uniqueness import PopulationUniqueness as _PopulationUniqueness
from sdckit.risk.uniqueness.possible_rows import PossibleRows as _PossibleRows
from sdckit.risk.uniqueness.prosecutor_risk import ProsecutorRisk as _ProsecutorRisk
from sdckit.risk.uniqueness.publisher_payout import PublisherPayout as _PublisherPayout
from sdckit.risk.uniqueness.separation import Separation as _Separation
from sdckit.risk.uniqueness.snb_uniqueness import SnbUniqueness as _SnbUniqueness
from sdckit.risk.uniqueness.suda2 import Suda2 as _Suda2
from sdckit.risk.uniqueness.uniqueness import Uniqueness as _Uniqueness
from sdckit.risk.uniqueness.unsafe_combinations import UnsafeCombinations as _UnsafeCombinations
from sdckit.risk.uniqueness.zayatz_uniqueness import ZayatzUniqueness as _ZayatzUniqueness
from sdckit.risk.worst_case.bilinear_linkage import BilinearLinkage as _BilinearLinkage
from sdckit.risk.worst_case.bilinear_metric_linkage import BilinearMetricLinkage as _BilinearMetricLinkage
from sdckit.risk.worst_case.choquet_linkage import ChoquetLinkage as _ChoquetLinkage
from sdckit.risk.worst_case.choquet_metric_linkage import ChoquetMetricLinkage as _ChoquetMetricLinkage
from sdckit.risk.worst_case.non_negative_bilinear_linkage import (
    NonNegativeBilinearLinkage as _NonNegativeBilinearLinkage,
)
from sdckit.risk.worst_case.owa_linkage import OwaLinkage as _OwaLinkage
from sdckit.risk.worst_case.weighted_mean_linkage import WeightedMeanLinkage as _WeightedMeanLinkage
from sdckit.risk.worst_case.weighted_mean_metric_linkage import WeightedMeanMetricLinkage as _WeightedMeanMetricLinkage

class AddedEdgeDetection(_AddedEdgeDetection):
    r"""Share of correct claims of an intruder who names the released edges that were added by the masking.

    The published method says how many edges were added; the intruder names that many, those whose ends have fewest
    neighbours in common for their degrees. In a clustered network such an edge is rarely an original one: the intruder
    can remove it, which makes further attacks easier. The baseline is a random choice.

    Formula: $\frac{|A \cap \hat{A}|}{|\hat{A}|}$,  $\hat{A}$ the $|E'| \cdot (1 - \kappa)$ edges of lowest $\frac{|N(u)
    \cap N(v)|}{\sqrt{d_u \cdot d_v}}$

    Intruder: has the release and the recipe, and knows nothing of the original.

    Use it when edges are added at random.
    """
    def __init__(self) -> None: ...

class AttributeInference(_AttributeInference):
    r"""Share of confidential values guessed correctly from the released record nearest on the known attributes.

    The nearest record need not be the person's own: a neighbour with the same value is enough. A guess is correct where
    the category is the same, or the number within `tolerance` standard deviations; of nearest records that tie one is
    picked at random. The baseline guesses with the value of a random released record. The control is the same attack on
    people who are not in the release, so that its success can be reached for anybody; the excess is the part of the
    remaining values that the release discloses about those who are in it. The control uses the records of the control
    file; without one, those of the original with their own row left out, where it is known which row that is. On large
    files a random part of the records is attacked.

    Formula: $\text{excess} = \frac{r - c}{1 - c}$,  $r$ the share of correct guesses,  $c$ the same on the control

    Intruder: knows the keys of a record, not its confidential values, and takes those of the nearest released record.

    Use it when a confidential attribute is released beside keys, whether or not records can be re-identified.
    """
    def __init__(self, *, tolerance: float = 0.05, max_records: int = 10000) -> None:
        """tolerance: how far off a number may be, in standard deviations; 0 to 1
        max_records: largest number of known records to attack, drawn at random; at least 1
        """

class BilinearLinkage(_BilinearLinkage):
    r"""Share of records that the best symmetric bilinear form of the differences links to their own row.

    Pairs of differences have weights, so that the noise of one attribute is inferred from that of another. Any linear
    change of numeric attributes leaves the figure unchanged. The matrix is unrestricted, so the form may be negative.

    Formula: as weighted-mean-linkage, with $d_\Sigma(a, b) = \delta^\top \Sigma \delta$,  $\delta_l^2 =
    \text{diff}_l(a, b)$,  $\Sigma$ symmetric

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when attributes are correlated, as the Mahalanobis distance and every distance in between are of this kind.
    """
    def __init__(
        self,
        *,
        budget: float = 2.0,
        reverse: bool = False,
        strict: bool = False,
        absolute: bool | None = None,
        missing_apart: bool = False,
        within: bool = False,
        holdout: float = 0.0,
        max_records: int = 2000,
    ) -> None:
        """budget: seconds of CPU to search and to prove; at least 0
        reverse: link each released record to the nearest known one instead
        strict: count a tie as no link, in the figure and in its bound; else rows that no distance distinguishes
            share it
        absolute: compare numbers by absolute instead of squared differences; by default, with categories both are
            tried
        missing_apart: give missing values weights of their own instead of the difference to expect of the value
        within: link only to rows that the published recipe leaves possible
        holdout: share of the records to learn on; links on the others are in the details; 0 to 1
        max_records: largest number of records to learn on, drawn at random; at least 1
        """

class BilinearMetricLinkage(_BilinearMetricLinkage):
    r"""Share of records that the best positive semidefinite form of the differences links to their own row.

    As bilinear-linkage, restricted to forms whose root is a distance of records of numbers: generalised Mahalanobis
    distances.

    Formula: as bilinear-linkage, with $\Sigma$ positive semidefinite

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when the intruder is supposed to use a proper distance.
    """
    def __init__(
        self,
        *,
        budget: float = 2.0,
        reverse: bool = False,
        strict: bool = False,
        absolute: bool | None = None,
        missing_apart: bool = False,
        within: bool = False,
        holdout: float = 0.0,
        max_records: int = 2000,
    ) -> None:
        """budget: seconds of CPU to search and to prove; at least 0
        reverse: link each released record to the nearest known one instead
        strict: count a tie as no link, in the figure and in its bound; else rows that no distance distinguishes
            share it
        absolute: compare numbers by absolute instead of squared differences; by default, with categories both are
            tried
        missing_apart: give missing values weights of their own instead of the difference to expect of the value
        within: link only to rows that the published recipe leaves possible
        holdout: share of the records to learn on; links on the others are in the details; 0 to 1
        max_records: largest number of records to learn on, drawn at random; at least 1
        """

class ChoquetLinkage(_ChoquetLinkage):
    r"""Share of records that the best Choquet integral of the differences links to their own row.

    Sets of attributes have weights, not single ones: the interactions show which attributes were masked together.

    Formula: as weighted-mean-linkage, with $d_\mu(a, b) = \sum_t (d_{(t)} - d_{(t + 1)}) \cdot \mu(\text{the } t \text{
    largest})$,  $\mu$ monotone

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when blocks of attributes were masked together, as in blockwise microaggregation.
    """
    def __init__(
        self,
        *,
        budget: float = 2.0,
        reverse: bool = False,
        strict: bool = False,
        absolute: bool | None = None,
        missing_apart: bool = False,
        within: bool = False,
        holdout: float = 0.0,
        max_records: int = 2000,
    ) -> None:
        """budget: seconds of CPU to search and to prove; at least 0
        reverse: link each released record to the nearest known one instead
        strict: count a tie as no link, in the figure and in its bound; else rows that no distance distinguishes
            share it
        absolute: compare numbers by absolute instead of squared differences; by default, with categories both are
            tried
        missing_apart: give missing values weights of their own instead of the difference to expect of the value
        within: link only to rows that the published recipe leaves possible
        holdout: share of the records to learn on; links on the others are in the details; 0 to 1
        max_records: largest number of records to learn on, drawn at random; at least 1
        """

class ChoquetMetricLinkage(_ChoquetMetricLinkage):
    r"""Share of records that the best Choquet integral with a submodular measure links to their own row.

    A submodular measure makes the root of the integral a distance: the triangle inequality holds.

    Formula: as choquet-linkage, with $\mu(A \cup i) + \mu(A \cup j) \ge \mu(A \cup ij) + \mu(A)$

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when the intruder is supposed to use a proper distance.
    """
    def __init__(
        self,
        *,
        budget: float = 2.0,
        reverse: bool = False,
        strict: bool = False,
        absolute: bool | None = None,
        missing_apart: bool = False,
        within: bool = False,
        holdout: float = 0.0,
        max_records: int = 2000,
    ) -> None:
        """budget: seconds of CPU to search and to prove; at least 0
        reverse: link each released record to the nearest known one instead
        strict: count a tie as no link, in the figure and in its bound; else rows that no distance distinguishes
            share it
        absolute: compare numbers by absolute instead of squared differences; by default, with categories both are
            tried
        missing_apart: give missing values weights of their own instead of the difference to expect of the value
        within: link only to rows that the published recipe leaves possible
        holdout: share of the records to learn on; links on the others are in the details; 0 to 1
        max_records: largest number of records to learn on, drawn at random; at least 1
        """

class CopiedValues(_CopiedValues):
    r"""Share of released rows that carry two or more values which only one person of the original has.

    A synthesis from trees draws observed values: with numbers and no smoothing every value is that of a person, and a
    row whose values came from the same leaf often has several values of the same person. Values are counted that occur
    once in their column of the original; the details give the share of all such values that were released at all. Two
    values of one person need not be a disclosure, but they are what an intruder recognises. It needs no correspondence
    of rows: a masked file that keeps columns unchanged carries its own values, and is counted like any other.

    Formula: $\frac{1}{n'} \cdot |\{r : \max_i |\{j : r_j = x_{ij}, x_{ij} \text{ occurs once}\}| \ge m\}|$,  $m$ the
    `min_values`

    Intruder: knows a person's rare values exactly, and looks for them in the release.

    Use it when the values of a synthetic file were drawn from those of the original, as by trees or by swapping.
    """
    def __init__(self, *, min_values: int = 2) -> None:
        """min_values: values of one person that a row must have to be counted; at least 1"""

class DegreeAttack(_DegreeAttack):
    r"""Share of nodes re-identified by an intruder who knows how many links each has.

    The intruder guesses among the released nodes of that degree, or where links have directions with as many from and
    as many to them. The details say how many nodes have one candidate
    only, and how large the candidate sets are.

    Formula: $\frac{1}{n} \sum_i \frac{[d'(i) = d(i)]}{|\{r : d'(r) = d(i)\}|}$

    Intruder: knows the number of links of somebody, such as a number of friends that a profile shows.

    Use it when only counts of links are likely to be known.
    """
    def __init__(self) -> None: ...

class DeltaPresence(_DeltaPresence):
    r"""Share of released records whose keys show with too high a probability that a person is, or is not, in the file.

    Of the F persons in the population who agree with a record on the keys, f are in the release, so each of them is in
    it with probability f / F. The probability must lie between `smallest` and `largest`. In a release of some records
    of a file without weights F is counted in that file; from weights it is estimated by the models of marketer-risk,
    and the probability is the expected f / F.

    Formula: $\frac{1}{n} \cdot |\{i : \frac{f_i}{F_i} < \text{smallest or } \frac{f_i}{F_i} > \text{largest}\}|$

    Intruder: has a register of the population with the keys and asks which of these persons are in the release.

    Use it when being in the file is confidential by itself, as in a file of patients or offenders.
    """
    def __init__(self, *, holes: Holes | str = ..., smallest: float = 0.0, largest: float = 0.5) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        smallest: smallest probability of presence allowed (δ min); 0 to 1
        largest: largest probability of presence allowed (δ max); 0 to 1
        """

class DifferenceMahalanobisLinkage(_DifferenceMahalanobisLinkage):
    r"""Share of records re-identified by linking each to the nearest, with the covariances of the changes by masking.

    Attributes that were disturbed much count little. This is the best quadratic distance against normal noise, and a
    worst case: the intruder could not measure these covariances without the original.

    Formula: $d^2(a, b) = (a - b)^\top (\Sigma_X + \Sigma_{X'} - 2 \mathrm{Cov}(X, X'))^+ (a - b)$, each file about its
    own mean

    Intruder: knows some attributes of a record exactly, and how strongly each attribute was disturbed.

    Use it when the strength of the noise differs between attributes and will be known.
    """
    def __init__(self, *, max_records: int = 10000, reverse: bool = False) -> None:
        """max_records: largest number of known records to link, drawn at random; at least 1
        reverse: link each released record to the nearest known one instead
        """

class DirichletUniqueness(_DirichletUniqueness):
    """Estimated share of records that are unique in the population, by a Dirichlet-multinomial model of class sizes.

    Population and sample are both Dirichlet-multinomial with the same number of classes and the same concentration,
    which are those of greatest likelihood for the sample. The number of classes is finite, unlike that of Pitman's
    model, of which this is the continuation to negative discounts. Records with missing keys are left out of the model.
    The figure has no interval.

    Formula: U / N,  U = K · N · B(γ + 1, (K − 1)·γ + N − 1) / B(γ, (K − 1)·γ),  K classes, γ their concentration

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the keys have few combinations, most of which occur in the sample.
    """
    def __init__(self) -> None: ...

class DisclosureRisk(_DisclosureRisk):
    r"""Mean of re-identification, by two record linkages, and attribute disclosure, by intervals around values.

    A quarter is the share of records linked by distance, a quarter that by agreements, half the share of values near
    their published one; the details give the parts. The comparisons of the literature average the linkages over what
    the intruder may know: use the knowledge `first-subsets(7)` for that. The interval and the baseline combine those of
    the parts; the interval is conservative.

    Formula: $\mathrm{DR} = 0.25 \cdot \mathrm{DLD} + 0.25 \cdot \mathrm{PLD} + 0.5 \cdot \mathrm{ID}$

    Intruder: that of the parts; for interval disclosure, one who knows to whom each released record belongs.

    Use it when methods are ranked by one figure, as in the comparisons of the 2000s. To judge a release, read the
    parts.
    """
    def __init__(self, *, linkage: float = 0.5) -> None:
        """linkage: weight of the two linkages together; interval disclosure has the rest; 0 to 1"""

class DistanceLinkage(_DistanceLinkage):
    r"""Share of records an intruder re-identifies by linking each to the nearest masked record.

    Both files are standardised by their own means and deviations; the distance is Euclidean over the ordered attributes
    that the intruder knows. A missing value of a masked record counts as a tenth of the expected squared difference to
    another record; an attribute that is not known of a record is left out. Ties share the credit, so a microaggregated
    file is reported neither safer nor riskier than a random pick within the group.

    Formula: $\frac{1}{n} \sum_i \frac{[i \in N_i]}{|N_i|}$,  $N_i$ the masked records nearest to original record $i$

    Intruder: knows some attributes of a record exactly and takes the nearest released record for it.

    Use it when ordered attributes were changed but kept near their values: it is the usual standard of comparison in
    the literature. An intruder who also uses what the method excludes re-identifies more, so do not read it as the
    worst case.
    """
    def __init__(self, *, max_records: int = 10000, reverse: bool = False) -> None:
        """max_records: largest number of known records to link, drawn at random; at least 1
        reverse: link each released record to the nearest known one instead
        """

class DistanceToClosestRecord(_DistanceToClosestRecord):
    r"""Share of released rows nearer to a record of the original than 95 % of other people are.

    The threshold is the 5 % quantile of the distance from a person of the control file to the closest record of the
    original; without a control, of the distance between the records themselves. The baseline is 5 %: what a file of
    other people would have. Distances are Gower's, over all attributes.

    **A low figure proves nothing.** The test detects copies and nothing else: synthetic files that pass it have been
    shown to disclose who is in the original. It is offered because others report it; judge a file by the membership
    game, singling out and attribute inference.

    Formula: $\frac{1}{n'} \cdot |\{r : d(r, X) < t\}|$,  $t$ the 5 % quantile of $d(y, X)$ over the control records $y$

    Intruder: none; the figure compares distances.

    Use it when a reviewer asks for it, and never alone.
    """
    def __init__(self, *, max_records: int = 5000) -> None:
        """max_records: largest number of rows, and of control records, to compare; at least 1"""

class DistinctLDiversity(_DistinctLDiversity):
    r"""Share of released records whose group, the records that agree on the keys, has fewer than l distinct values.

    A group with a single value discloses it, however large the group is. With several confidential attributes a record
    counts if one of them is too uniform. Missing confidential values are not counted. Numbers are put into bands, so
    that nearly equal values do not count as distinct. Where keys are missing, the details give the figure by both
    readings of a missing key, and the higher one counts.

    Formula: $\frac{1}{n} \cdot |\{i : \text{the group of } i \text{ has fewer than } l \text{ distinct values}\}|$

    Intruder: knows the keys of somebody in the release and reads the confidential values of the records that agree.

    Use it when the confidential attribute has several values none of which is common.
    """
    def __init__(self, *, holes: Holes | str = ..., diversity: int = 2, bands: int = 10) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        diversity: smallest number of values in a group (l); at least 1
        bands: numbers count as this many bands of equal frequency; at least 2
        """

class DonorLeaves(_DonorLeaves):
    r"""Share of released rows for which exactly one person is among the donors of every value.

    A tree draws a value from the records of a leaf: these are its donors. The trees are determined by the original, so
    they are grown again, and the leaf of each released row is found in each of them: the candidates of the row are the
    records that are in its leaf in every tree and, where values are drawn unchanged, have its values. With one
    candidate left, the row describes that person as precisely as the leaves do. Any row ends in some leaf: the control
    is the same share for people whom the method never saw, and the excess is what being in the file adds; the baseline
    is that of rows whose values are exchanged at random. Small leaves and many attributes leave few candidates. Where
    rows were kept, as by partial-trees, the details give the share of rows whose one candidate is their own record.

    Formula: $\frac{1}{n'} \cdot |\{r : |\{i : \text{leaf}_j(i) = \text{leaf}_j(r) \text{ for all } j\}| = 1\}|$,  the
    leaves of record $i$ and row $r$ in the tree of attribute $j$

    Intruder: knows the recipe, and so much of the original that the trees can be grown again.

    Use it when a file was synthesised by trees, to choose the size of the leaves.
    """
    def __init__(self) -> None: ...

class EgoNetworkAttack(_EgoNetworkAttack):
    r"""Share of nodes re-identified by an intruder who knows how the neighbours of each are linked with each other.

    The candidates of a node are the released nodes whose neighbours form the same pattern. Patterns are compared by
    refinement, which distinguishes all patterns of up to five neighbours and nearly all larger ones: no candidate set
    is too small, and a few may be too large.

    Formula: $\frac{1}{n} \sum_i \frac{[\text{row of } i \in C(i)]}{|C(i)|}$,  $C(i) = \{r : G'[N'(r)] \cong G[N(i)]\}$

    Intruder: knows the friends of somebody and which of them are friends of each other, and nothing else.

    Use it when whole neighbourhoods may be known, as in a class or an office.
    """
    def __init__(self) -> None: ...

class EntropyLDiversity(_EntropyLDiversity):
    r"""Share of released records whose group has values of less entropy than l equally frequent ones.

    Unlike the number of distinct values it takes into account that nine of ten records may have the same one. It is
    demanding where one value is common in the whole file. Missing and several attributes are handled as in
    distinct-l-diversity.

    Formula: $\frac{1}{n} \cdot |\{i : -\sum_v p(v) \log p(v) < \log l\}|$,  $p(v)$ the share of value $v$ in the group
    of $i$

    Intruder: knows the keys of somebody in the release and guesses the most frequent value of those that agree.

    Use it when values have about the same frequency in the file.
    """
    def __init__(self, *, holes: Holes | str = ..., diversity: int = 2, bands: int = 10) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        diversity: smallest number of values in a group (l); at least 1
        bands: numbers count as this many bands of equal frequency; at least 2
        """

class FittedIntruder(_FittedIntruder):
    r"""Share of records whose likeliest row is theirs, by an intruder who knows the method and not its parameters.

    The parameters are fitted: of the values that a sweep would try, those are taken under which the release is
    likeliest. With `at_most` the published parameters are known as upper bounds. In all other respects this is the
    informed intruder, so the differences between ordinary, fitted and informed show what publishing the method and what
    publishing its parameters discloses.

    Formula: as of informed-intruder, with $\hat{\theta} = \operatorname{argmax}_\theta \sum_{\pi} \prod_x
    \ell_\theta(\pi(x) \mid x)$ over matchings $\pi$ instead of the published parameters

    Intruder: knows some attributes of some records, and which methods were applied to which attributes.

    Use it when the method is to be published but its parameters are to be kept secret, to see how much this protects.
    """
    def __init__(self, *, targets: int = 1000, at_most: bool = False) -> None:
        """targets: records attacked at most, chosen by the content of the file; 0: all that are known; at least 0
        at_most: the published parameters are known as upper bounds
        """

class GlobalLinkage(_GlobalLinkage):
    r"""Share of records re-identified by the one-to-one assignment to released records of least total distance.

    Both files are standardised by their own means and deviations. No row is linked to two records, so that a row goes
    to the record that it fits best and the links correct each other: against noise and swapping it re-identifies more
    than linking one by one. Among equal records or rows the assignment is random. The details say whether the
    assignment is proven to be the best: after a number of steps the remaining records take the nearest free row.

    Formula: $\hat{\pi} = \operatorname{argmin}_\pi \sum_x \lVert z(x) - z'(\pi(x)) \rVert^2$ over one-to-one $\pi$

    Intruder: knows some attributes of many or all records exactly and links them all together.

    Use it when the intruder may have a register of the whole population, or of all records in the file.
    """
    def __init__(self, *, max_records: int = 10000, effort: int = 2000) -> None:
        """max_records: largest number of known records to link, drawn at random; at least 1
        effort: records visited along paths, per known record, before the search ends short of the optimum; at
            least 0
        """

class HouseholdIntruder(_HouseholdIntruder):
    r"""Share of records whose likeliest row is theirs, where released households are matched as a whole.

    The laws of the attributes are those of the informed intruder. A release that shows which rows form a household lets
    an intruder match families: all members must be in one released household of the same size, and each has one row of
    it. The likelihood of a household is the sum over all ways to assign its rows; the posterior is over matchings of
    all households. Where whole households were sampled, some of the known ones have no rows. In files of more than
    20,000 records each household is matched by itself, which overstates the confidence of the claims, and samples are
    not matched; in a household of more than nine members two may be assigned the same row.

    Formula: $\ell(g \mid h) = \sum_{\sigma} \prod_{x \in h} \ell(\sigma(x) \mid x)$,  $\sigma$ over the ways to match
    the members of $h$ with the rows of $g$

    Intruder: knows some attributes of every record, the recipe, and who lives together.

    Use it when a file with households is released together with the number of the household: weak evidence on each
    member adds up, and masking that protects single persons may protect no family.
    """
    def __init__(self, *, targets: int = 1000) -> None:
        """targets: records attacked at most, chosen by the content of the file; 0: all that are known; at least 0"""

class HouseholdRisk(_HouseholdRisk):
    r"""Mean probability that at least one member of a person's household is matched correctly.

    Members are assumed to be matched independently, each with the individual risk. A record without a household is one
    of its own; where the release has no attribute of the role household, there is no household risk. Like the
    individual risk, it is too low in a sparse sample, and has no interval.

    Formula: $\frac{1}{n} \sum_i (1 - \prod_j (1 - r_j))$,  $r_j$ the individual risk of member $j$ of the household of
    record $i$

    Intruder: has a register of the population with the keys; if one member is re-identified, so are the other members
    of the household.

    Use it when the file shows who lives together.
    """
    def __init__(self, *, holes: Holes | str = ...) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)"""

class HubFingerprintAttack(_HubFingerprintAttack):
    r"""Share of nodes re-identified by their distances to the hubs, which everybody can identify.

    Hubs are the nodes of highest degree. A fingerprint is the distance of a node to each hub as far as the radius; the
    candidates of a node are the released nodes with the same fingerprint.

    Formula: $\frac{1}{n} \sum_i \frac{[F'(i) = F(i)]}{|\{r : F'(r) = F(i)\}|}$,  $F(v) = (\text{dist}(v, h) : h \in
    \text{hubs})$, where a distance above the radius is $\infty$

    Intruder: knows which nodes are the hubs, and at what distance somebody is from each of them.

    Use it when some nodes are public figures.
    """
    def __init__(self, *, hubs: int = 5, radius: int = 2) -> None:
        """hubs: nodes of highest degree that the intruder has identified; at least 1
        radius: distances that are known, at most (the paper's i); at least 1
        """

class IhsnSuda2(_IhsnSuda2):
    r"""Mean probability of a correct match on special uniques, scored by the number of larger unique sets of keys.

    As suda2, with another weight of a minimal sample unique of s keys out of m: the number of sets that contain it,
    itself not counted, as a share of the sets of s keys. Unlike (m − s)! it does not explode with the number of keys. A
    record that is unique on all keys at once only has the score 0 and the probability 0, but it counts in U, the number
    of sample uniques. Missing keys are read as in suda2.

    Formula: $\frac{1}{n} \sum_i \frac{1}{1 + (U / \theta - U) / (S_i^q \cdot \sum S^{-q})}$,  $S_i = \sum_{\text{MSU}}
    (2^{m - s} - 1) \cdot \frac{s! \, (m - s)!}{m!}$,  $U$ the number of sample uniques

    Intruder: recognises a person by a striking combination of few characteristics.

    Use it when figures are compared with those of the International Household Survey Network's practice.
    """
    def __init__(self, *, holes: Holes | str = ..., sampling_fraction: float = 0.1, largest: int = 5) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        sampling_fraction: assumed share of the population that is in the file; 0 to 1
        largest: largest number of keys in a minimal sample unique; at least 1
        """

class IndividualRisk(_IndividualRisk):
    r"""Mean probability of a correct match when the population frequency is only estimated from the weights.

    How many persons F agree with a record is not known; given the f records in the sample it is taken as negative
    binomial with success probability f / F̂, F̂ the total weight of these records. The expectation of 1 / F is computed
    exactly, for every f. A class with weights below 1 counts as completely sampled. In a sparse sample this
    distribution overestimates the sizes of classes and the figure is too low: marketer-risk estimates the same mean by
    models of class sizes, and its figure is in the details. The figure has no interval, since none that follows from
    this distribution would cover the true risk.

    Formula: $\frac{1}{n} \sum_i \mathrm{E}(\frac{1}{F_i} \mid f_i)$,  $\mathrm{E}(\frac{1}{F} \mid f) = \frac{p^f}{f}
    \cdot {}_2F_1(f, f; f + 1; 1 - p)$,  $p = \frac{f}{\hat{F}}$

    Intruder: has a register of the population with the keys and picks at random among the persons who agree.

    Use it when the file is a sample survey with weights and categorical keys.
    """
    def __init__(self, *, holes: Holes | str = ...) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)"""

class InformedGraphIntruder(_InformedGraphIntruder):
    r"""Share of nodes re-identified by an intruder who knows links, attributes, the method and its parameters.

    The published method says how likely each released degree is for each known one and what share of the edges stayed:
    the posterior under the rates of added and deleted edges. A neighbour is recognised by its degree first and then by
    the released nodes that it is likely to be, round by round, as far as that helps in graphs that the intruder masks
    again; no two nodes share one. Known attributes of nodes count with the law of the informed intruder of microdata:
    what the links and what the attributes say of a pair is added up. Where rounds get stuck they begin again from a
    part that fits together. What is expected to be found is what was found there. Beyond 5,000 nodes only the likeliest
    candidates are compared; graphs with millions of links are attacked one by one, by the degrees of neighbours, which
    finds far fewer. Of up to 8 nodes whose edges were replaced at random, every matching is compared.

    Formula: $P(r \mid i) \propto P(d'_r \mid d_i) \cdot \ell(r \mid i) \cdot \prod_{u \in N'(r)} (\kappa \cdot
    \frac{P(u \mid N(i))}{P(u)} + 1 - \kappa)$,  $\kappa$ the share of edges kept, $\ell$ the likelihood of the
    attributes

    Intruder: knows the links of the original, the keys of its nodes and the recipe, which is published with the graph.

    Use it when the method is published, as it should be.
    """
    def __init__(self, *, targets: int = 1000) -> None:
        """targets: nodes attacked at most, chosen by the content of the graph; 0: all that are known; at least 0"""

class InformedIntruder(_InformedIntruder):
    r"""Share of records whose likeliest row is theirs, by an intruder who knows method and parameters.

    Every known attribute is used with the most precise law that the recipe allows: a value released unchanged must be
    equal; noise and PRAM have probabilities in closed form; a deterministic method is applied again to the whole file,
    where that is known, which gives the groups; anything else is learned by masking known records again. Records and
    rows match one to one, so the posterior is over matchings: exact for small components, from a Markov chain for
    others. The details give the share that the intruder expects to re-identify (`expected_found`), the claims of high
    confidence and how many of them are correct, the calibration, the effective number of rows, and where the law of
    each attribute comes from.

    Formula: $\frac{1}{m} \sum_x [\operatorname{argmax}_r \Pr(r \text{ belongs to } x \mid \text{release}) \text{
    belongs to } x]$,  $\Pr$ over matchings $\pi$ of weight $\prod_x \ell(\pi(x) \mid x)$

    Intruder: knows some attributes of some records, the recipe, and that no two records share a row.

    Use it when one figure is to show what publishing a file together with its method discloses: it is designed so that
    no other attack of the catalogue that an intruder can carry out re-identifies more.
    """
    def __init__(self, *, targets: int = 1000) -> None:
        """targets: records attacked at most, chosen by the content of the file; 0: all that are known; at least 0"""

class IntersectionAttack(_IntersectionAttack):
    r"""Share of records re-identified by an intruder who knows the recipe and links only to rows that it allows.

    Each step of the recipe says which released values a known value can have become; the sets of rows that the known
    attributes leave possible are intersected. Within the intersection the nearest row is linked, by all known
    attributes: squared differences of standardised numbers, and distances of categories; ties share the credit, and a
    missing value counts as a share of the expected difference. Where theory promises that a set contains the true row,
    a set of one row is a certain match. Some methods only make some rows more likely: where no likely row is left, and
    everywhere if that is so for many records, the nearest of the possible rows is linked. The details give the share of
    certain matches, the mean size of the sets, the probability of a correct match at random, and the coverage: the
    share of the released records whose true row is in its set, 1 where theory promises it. An empty set of a released
    record shows that the recipe is not the one used, such as a window assumed too narrow, or that the likely rows were
    not the true ones. On large files a random part of the known records is linked.

    Intruder: knows the recipe and some attributes of some records, and rules out every row that could not be theirs.

    Formula: $\frac{1}{m} \sum_x \Pr[\text{the nearest row of } \cap_j B_j(x) \text{ belongs to } x]$,  $B_j(x)$ the
    rows that attribute $j$ leaves possible

    Use it when method and parameters will be published, or cannot be kept secret: it is the figure that counts then.
    """
    def __init__(self, *, single_target: bool = False, align: bool = False, max_records: int = 10000) -> None:
        """single_target: attack each record as if the intruder knew no other, even if many are known
        align: align the known part of a column with the released one: smaller sets, which may miss the truth
        max_records: largest number of known records to link, drawn at random; at least 1
        """

class IntervalDisclosure(_IntervalDisclosure):
    r"""Share of values that lie within a narrow interval of ranks around their published value.

    The interval around a published value reaches over the ranks of the masked column that are at most half its width
    away; a rank beyond is not counted, and equal values have their middle rank. With fewer than 2 / w values an
    interval of width w is the published value alone. The
    figure is averaged over widths of 1 %, 2 % … up to `widest`, over attributes and records, and the details give the
    curve by width. The intruder has to know to whom a masked record belongs: this is what re-identification reveals.
    The baseline pairs records at random.

    Formula: mean over $w, j, i$ of $[x_{ij} \in I_w(x'_{ij})]$,  $I_w(x')$ the masked values at most $w \cdot
    \frac{n}{2}$ ranks from $x'$

    Intruder: knows to whom each released record belongs and takes the published values for the true ones.

    Use it when a value near the truth is already a harm, such as an income or a turnover known to within a few ranks.
    """
    def __init__(self, *, widest: float = 0.1) -> None:
        """widest: widest interval, as a share of the ranks or of the deviation; 0.01 to 1"""

class JournalistRisk(_JournalistRisk):
    r"""Largest probability of a correct match where the released records are a sample and any match counts.

    A released record is one of the F persons in the population who agree with it. In a release of some records of a
    file without weights F is counted in that file, and the figure is exact. From a sample with weights F is estimated:
    the total weight of a sample unique overestimates its class, as rare records are mostly those of small classes. The
    sizes of classes are modelled as for marketer-risk, and the figure is the upper end of a 95 % interval for the
    largest 1 / F, so that the truth rarely exceeds it. Where some sample unique may well be unique in the population it
    is 1. Figures by record are E(1 / F); their mean and the share above the threshold are in the details. Missing keys
    are read both ways, and the higher figure counts.

    Formula: $\max_i \frac{1}{F_i}$,  $F_i$ the number of persons in the population that agree with record $i$ on the
    keys

    Intruder: has a register of the population with the keys, and wants to show that some record can be re-identified.

    Use it when the file is a sample and who is in it is not known.
    """
    def __init__(self, *, holes: Holes | str = ..., threshold: float = 0.2) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        threshold: probability above which a record counts as at risk; 0 to 1
        """

class KAnonymity(_KAnonymity):
    r"""Share of released records that agree with fewer than k records on the known keys, themselves included.

    The release is k-anonymous where the share is 0; the largest k for which it is so is in the details. Where keys are
    missing or suppressed, the details give the figure by two readings, and the higher one counts. By any-value, the
    usual rule, a missing key agrees with every value, so that ten blank rows agree with everybody. By own-value it is a
    value of its own, so a class has k rows that look the same: this also protects against an intruder who repeats the
    suppression on the known file to see which values each record lost. `holes` takes one of them, or candidates: the
    rows that can be each record's by the recipe are counted, and such an intruder may rule out some. Records without
    any key are in the details too.

    Formula: $\frac{1}{n} \cdot |\{i : f_i < k\}|$,  $f_i$ the number of released records that agree with record $i$ on
    the keys

    Intruder: knows the keys of somebody in the release, without error, and looks for the records that agree.

    Use it when keys were recoded, suppressed or averaged in groups. A group that hides its members may still disclose
    their confidential value: read it beside l-diversity and t-closeness.
    """
    def __init__(self, *, holes: Holes | str = ..., group_size: int = 3) -> None:
        """holes: what a missing key counts as: any-value, own-value, candidates, or stricter (the higher of the
            first two)
        group_size: smallest number of records that must agree (k); at least 1
        """

class KernelLinkage(_KernelLinkage):
    r"""Share of records re-identified by linking each to the nearest in the space of a polynomial kernel.

    Products of attributes count like attributes, so records far from the middle are distinguished more sharply than
    those near it. With degree 1 it is the plain distance. (A Gaussian kernel would give the same links as the plain
    distance, since it decreases with it.) A missing value counts as the mean.

    Formula: $d^2(a, b) = K(a, a) - 2 K(a, b) + K(b, b)$,  $K(a, b) = (1 + a^\top b)^{\text{degree}}$ on standardised
    files

    Intruder: knows some attributes of a record exactly.

    Use it when a second opinion on the plain distance is needed for files with many outlying records.
    """
    def __init__(self, *, max_records: int = 10000, reverse: bool = False, degree: int = 2) -> None:
        """max_records: largest number of known records to link, drawn at random; at least 1
        reverse: link each released record to the nearest known one instead
        degree: degree of the polynomial; 1 to 3
        """

class KnownLinksAttack(_KnownLinksAttack):
    r"""Share of nodes re-identified by their links and non-links to some nodes that the intruder has identified.

    The identified nodes are drawn at random. The candidates of a node are the released nodes with the same links and
    non-links to them, in each direction where links have one: the intersection over all that is known of each pair.

    Formula: $\frac{1}{n} \sum_i \frac{[\text{row of } i \in C(i)]}{|C(i)|}$,  $C(i) = \{r : [r \sim s'] = [i \sim s]
    \text{ for all } s \in S\}$

    Intruder: has found some people in the release, such as friends who took part, and knows who is linked with them.

    Use it when people in the graph may recognise each other.
    """
    def __init__(self, *, identified: int = 20) -> None:
        """identified: nodes that the intruder has identified; at least 1"""

class Linkability(_Linkability):
    r"""Share of people whose entries in two files have a nearest released row in common.

    The known attributes are divided between two files. The intruder looks for the released rows nearest to a person's
    entry in either file (Gower's distance) and links the two entries where a row is among both; equal rows count as
    one, so that a person who is copied twice is linked no less. The baseline is what random rows give; the control is
    the same attack on people of the control file, who can be linked only by what can be inferred about anybody, and the
    excess is the rest.

    Formula: $\text{excess} = \frac{r - c}{1 - c}$,  $r$ the mean of $[N(x_1) \cap N(x_2) \ne \emptyset]$, $N$ the
    `neighbours` nearest rows,  $c$ the same in the control

    Intruder: has two files on the same people, with different attributes of theirs and no common identifier.

    Use it when synthetic data are to be judged by the three criteria of the European data protection authorities.
    """
    def __init__(self, *, first: tuple[str, ...] = (), neighbours: int = 1, attacks: int = 1000) -> None:
        """first: the attributes in the first file, the others in the second; none: every other
        neighbours: released rows near to an entry that are considered; at least 1
        attacks: largest number of people to link, drawn at random; at least 1
        """

class LogLinearRisk(_LogLinearRisk):
    r"""Expected share of records that are matched correctly on sample uniques, by a log-linear model of the keys.

    Counts in the population are Poisson with means λ from a log-linear model fitted to the whole table of the sample,
    empty cells included. With `interactions` 1 the keys are independent, which tends to overstate the risk; 2 adds all
    pairs and needs a table of all combinations. Records with missing keys are not judged. The expected number of
    population uniques is in the details (τ₁). Continuous keys make no table and are left out.

    Formula: $\frac{1}{n} \sum_{\text{sample uniques}} \frac{1 - e^{-x}}{x}$,  $x = \lambda (1 - \pi)$,  $\lambda =
    \frac{\mu}{\pi}$,  $\pi = \frac{n}{N}$

    Intruder: finds a sample unique and picks at random among the persons of the population who agree.

    Use it when the file is a sample with few categorical keys: the model borrows strength from cells nearby.
    """
    def __init__(self, *, interactions: int = 1) -> None:
        """interactions: largest number of keys that interact in the model; 1 to 3"""

class MahalanobisLinkage(_MahalanobisLinkage):
    r"""Share of records re-identified by linking each to the nearest, with the covariances of the original.

    Correlated attributes count once instead of twice. A missing value counts as the mean. Linear transformations of the
    attributes do not change the figure.

    Formula: $d^2(a, b) = (a - b)^\top \Sigma_X^{-1} (a - b)$, each file about its own mean

    Intruder: knows some attributes of a record exactly, and how they vary together in the population.

    Use it when the noise is correlated as the attributes are: then it re-identifies more records than the plain
    distance, and fewer against noise that is independent from attribute to attribute.
    """
    def __init__(self, *, max_records: int = 10000, reverse: bool = False) -> None:
        """max_records: largest number of known records to link, drawn at random; at least 1
        reverse: link each released record to the nearest known one instead
        """

class MarketerRisk(_MarketerRisk):
    r"""Expected share of the released records that are matched with the correct person of the population.

    Each record is matched with one of the F persons who agree with it, at random. In a release of some records of a
    file without weights F is counted in that file. From a sample with weights it is estimated, as the total weight of a
    sample unique overestimates its class. Given f sampled records of a class, the number of its other members is
    negative binomial with shape f − α: in Pitman's model with 0 < α < 1 the number of classes is unlimited, in a
    Dirichlet mixture with α < 0 it is limited. Both are fitted to the sizes of classes in the sample; they assume that
    records of equal weight were equally likely to be sampled. The model of greater likelihood gives the figure; where
    the sample does not distinguish them, the one of higher risk, which is usually Pitman's. The interval is of no
    model: it has the figures of all populations, of whatever sizes of classes, from which such a sample may come, and a
    figure by a model outside of it is moved to its nearer end. From a sample of few percent it is wide, as many persons
    whom nobody resembles and many small classes give the same sample. The figure by total weight, which is too low, is
    in the details. Missing keys are read both ways, and the higher figure counts.

    Formula: $\frac{1}{n} \sum_i \mathrm{E}(\frac{1}{F_i})$,  $F - f \sim \mathrm{NB}(f - \alpha, c)$,  $c = (w - 1)
    \cdot \frac{n}{n + \theta}$,  $w$ the mean weight of the class

    Intruder: has a register of the population with the keys and matches every record; wrong matches cost little.

    Use it when the harm grows with the number of persons re-identified, not with the one who is easiest to re-identify.
    """
    def __init__(self, *, holes: Holes | str = ...) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)"""

class MaskedMahalanobisLinkage(_MaskedMahalanobisLinkage):
    r"""Share of records re-identified by linking each to the nearest, with the covariances of the masked file.

    As mahalanobis-linkage, for an intruder who can estimate the covariances from the release only.

    Formula: $d^2(a, b) = (a - b)^\top \Sigma_{X'}^{-1} (a - b)$, each file about its own mean

    Intruder: knows some attributes of a record exactly, and the release.

    Use it when nothing on the original's covariances is published.
    """
    def __init__(self, *, max_records: int = 10000, reverse: bool = False) -> None:
        """max_records: largest number of known records to link, drawn at random; at least 1
        reverse: link each released record to the nearest known one instead
        """

class MaximalDisclosureRisk(_MaximalDisclosureRisk):
    r"""Mean probability of re-identifying a record by guessing in its cluster, reduced by how much the keys changed.

    A record that shares its keys with i records in the release and with j in the original is re-identified with
    probability one in the larger number. No other weighting of clusters gives a larger risk. The figure is that of the
    subset of keys with which it is largest.

    Formula: $\max_v \prod_k (1 - v_k \cdot \mathrm{icf}_k) \cdot \frac{1}{n} \sum_{i, j} \frac{c^v_{ij}}{\max(i, j)}$

    Intruder: knows the keys of everybody in the original, guesses within clusters that agree on them, and picks the
    keys to link by.

    Use it when any release, of one method or of a chain, is to be judged by one cautious figure.
    """
    def __init__(self, *, weak_change: WeakChange | str = ..., holes: Holes | str = ...) -> None:
        """weak_change: rule for changes within a hierarchy: by-depth, by-leaves or any-change
        holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        """

class Membership(_Membership):
    r"""How much more often members than others are classified as members, by an intruder who can run the method again.

    The recipe is run on random halves of the records (of the original, and of the control where there is one), so that
    every person is in half of the files. For each file the attack measures how near the nearest row to the person is,
    how well the person's values agree with the means and products of the file and, where the method has probabilities
    in closed form, how likely the rows are with the person and without; the likelihood ratio of "in" against "out"
    comes from all other files. A person is called a member where the ratio favours it. The figure is the advantage at
    this threshold, which is fixed in advance; the details give the area under the ROC curve and the share of members
    who are called members when 0.1 % of the others are, which shows whose membership is nearly certain. Under
    ε-differential privacy the advantage cannot exceed (e^ε − 1) / (e^ε + 1). The files are half as long as the pool:
    with a control as long as the original they are as long as the release.

    Formula: $\mathrm{Adv} = \mathrm{TPR} - \mathrm{FPR}$ at ratio 1,  $\text{ratio} = \frac{\Pr(\text{features} \mid
    \text{in})}{\Pr(\text{features} \mid \text{out})}$

    Intruder: knows the keys of a person, the recipe, and people like those in the file, and can run the method again.

    Use it when being in the file is confidential by itself, and for every synthetic file: it detects what a comparison
    of rows does not.
    """
    def __init__(self, *, files: int = 32, targets: int = 500) -> None:
        """files: files made by the recipe; half of them have each person; at least 4
        targets: largest number of people in question, drawn at random; at least 1
        """

class MinimalDisclosureRisk(_MinimalDisclosureRisk):
    r"""Share of records that are unique by their keys in both files, reduced by how much the keys were changed.

    No other weighting of clusters gives a smaller risk, so this is a lower limit for every weighted disclosure risk.
    The figure is that of the subset of keys with which it is largest, since an intruder would leave out a misleading
    key.

    Formula: $\max_v \prod_k (1 - v_k \cdot \mathrm{icf}_k) \cdot \frac{c^v_{11}}{n}$

    Intruder: knows the keys of everybody in the original, links records that are unique by them in both files, and
    picks the keys to link by.

    Use it when any release, of one method or of a chain, is to be judged by one figure, and to see which keys disclose
    most.
    """
    def __init__(self, *, weak_change: WeakChange | str = ..., holes: Holes | str = ...) -> None:
        """weak_change: rule for changes within a hierarchy: by-depth, by-leaves or any-change
        holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        """

class MixedLinkage(_MixedLinkage):
    r"""Share of records re-identified by linking each to the nearest, over attributes of every kind.

    Each attribute adds between 0 and 1: ordered ones their difference as a share of the original's range, hierarchical
    ones their distance in the tree, unordered ones 0 if equal and else 1. A coarser value, such as a district for one
    of its postcodes, is at distance 0 from all the values below it. A missing value of a released record counts as a
    fifth of the expected distance to another record; an attribute that is not known is left out. On large files a
    random part of the known records is linked.

    Formula: $d(a, b) = \frac{1}{|J|} \sum_{j \in J} d_j(a_j, b_j)$,  $J$ the attributes known,  $d_j(a_j,
    \text{missing}) = \frac{1}{5} \mathrm{E}[d_j(a_j, B)]$

    Intruder: knows some attributes of a record exactly and takes the nearest released record for it.

    Use it when keys are of several kinds, as in most files on persons, or categories were recoded or suppressed.
    """
    def __init__(self, *, max_records: int = 10000, reverse: bool = False) -> None:
        """max_records: largest number of known records to link, drawn at random; at least 1
        reverse: link each released record to the nearest known one instead
        """

class NonNegativeBilinearLinkage(_NonNegativeBilinearLinkage):
    r"""Share of records that the best bilinear form without negative distances links to their own row.

    As bilinear-linkage, restricted to forms that are not negative for any known and any released record. The matrix
    need not be positive semidefinite: only the pairs of the two files count.

    Formula: as bilinear-linkage, with $\delta^\top \Sigma \delta \ge 0$ for every pair of a known and a released record

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when bilinear-linkage is to be compared with forms that can be read as squared distances.
    """
    def __init__(
        self,
        *,
        budget: float = 2.0,
        reverse: bool = False,
        strict: bool = False,
        absolute: bool | None = None,
        missing_apart: bool = False,
        within: bool = False,
        holdout: float = 0.0,
        max_records: int = 2000,
    ) -> None:
        """budget: seconds of CPU to search and to prove; at least 0
        reverse: link each released record to the nearest known one instead
        strict: count a tie as no link, in the figure and in its bound; else rows that no distance distinguishes
            share it
        absolute: compare numbers by absolute instead of squared differences; by default, with categories both are
            tried
        missing_apart: give missing values weights of their own instead of the difference to expect of the value
        within: link only to rows that the published recipe leaves possible
        holdout: share of the records to learn on; links on the others are in the details; 0 to 1
        max_records: largest number of records to learn on, drawn at random; at least 1
        """

class OrdinaryGraphIntruder(_OrdinaryGraphIntruder):
    r"""Share of nodes re-identified by an intruder who knows links and attributes and not how the graph was masked.

    A released node is weighed by its degree and by its neighbours, allowing for errors in both: how large these are is
    fitted to the release. Neighbours are recognised by their own candidates, round by round, as far as that helps in
    graphs that the intruder masks again with more and fewer of their edges kept, and no two nodes share one. Where
    rounds get stuck they begin again from a part that fits together. What is expected to be found is what was found in
    those that look like the release. How well known attributes of nodes agree is learned from the two graphs, and what
    they say of a pair is added to what the links say. Beyond 5,000 nodes only the likeliest candidates are compared;
    graphs with millions of links are attacked one by one, by the degrees of neighbours, which finds far fewer.

    Formula: $\frac{1}{n} \sum_i [\operatorname{argmax}_r P(r \mid i, G') = \text{row of } i]$,  ties share the credit

    Intruder: knows the links of the original and the keys of its nodes, such as a crawl of the same network.

    Use it when you want one figure for what the links disclose to an intruder who does not know the method.
    """
    def __init__(self, *, targets: int = 1000) -> None:
        """targets: nodes attacked at most, chosen by the content of the graph; 0: all that are known; at least 0"""

class OrdinaryIntruder(_OrdinaryIntruder):
    r"""Share of records whose likeliest row is theirs, by an intruder who does not know the method.

    How well each attribute agrees between a record and its row is learned from the two files alone, by EM: combinations
    of values that both files have show which attributes are unchanged, and pairs that fit well on some attributes show
    how far the others have moved. Inference is that of the informed intruder, so the difference between the two is what
    publishing the method discloses.

    Formula: $\frac{1}{m} \sum_x [\operatorname{argmax}_r \Pr(r \text{ belongs to } x \mid \text{release}) \text{
    belongs to } x]$,  $\ell(r \mid x)$ by mixtures fitted with EM

    Intruder: knows some attributes of some records, and that no two records share a row.

    Use it when the method is kept secret, and beside the informed intruder to see how much secrecy protects.
    """
    def __init__(self, *, targets: int = 1000) -> None:
        """targets: records attacked at most, chosen by the content of the file; 0: all that are known; at least 0"""

class OwaLinkage(_OwaLinkage):
    """Share of records that the best ordered weighted average of the differences links to their own row.

    Weights belong to the largest, second largest … difference, whichever attribute it is, so all attributes are treated
    equally. The figure depends on the scale of each attribute: numbers are standardised, categories differ by 0 to 1.

    Formula: as weighted-mean-linkage, with the differences of each pair sorted in falling order first

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when all attributes were masked alike and a record may be off in a few of them.
    """
    def __init__(
        self,
        *,
        budget: float = 2.0,
        reverse: bool = False,
        strict: bool = False,
        absolute: bool | None = None,
        missing_apart: bool = False,
        within: bool = False,
        holdout: float = 0.0,
        max_records: int = 2000,
    ) -> None:
        """budget: seconds of CPU to search and to prove; at least 0
        reverse: link each released record to the nearest known one instead
        strict: count a tie as no link, in the figure and in its bound; else rows that no distance distinguishes
            share it
        absolute: compare numbers by absolute instead of squared differences; by default, with categories both are
            tried
        missing_apart: give missing values weights of their own instead of the difference to expect of the value
        within: link only to rows that the published recipe leaves possible
        holdout: share of the records to learn on; links on the others are in the details; 0 to 1
        max_records: largest number of records to learn on, drawn at random; at least 1
        """

class PermutationDistance(_PermutationDistance):
    r"""Share of records none of whose values moved by more than a given share of the ranks.

    Every masking of microdata is a permutation of the ranks of each attribute, plus noise that keeps them; the
    permutation is what protects. The permutation distance of a value is the number of ranks between the original value
    in its column and the released value in its column, as a share of the released records; that of a record is the
    largest one over its attributes. Tied values are taken in the order that gives the smallest distance, so values that
    were made equal, as by microaggregation or rounding, count as hardly moved: read the figure beside k-anonymity.
    A nominal attribute has no ranks: a released category that is the original one, or contains it in the hierarchy,
    did not move; any other moved by 1, and so did a value that was removed. Cells that were missing in the original
    are not counted.

    By record, the score has 1 − the distance of the record; by attribute, the share of values that moved by no more
    than `distance`. The details give the smallest, the median and the mean distance of the records, and the smallest
    and the mean by attribute. The baseline pairs records and rows at random.

    Formula: $\frac{1}{n} \sum_i [\max_j d_{ij} \le \text{distance}]$,  $d_{ij} = \frac{1}{n} \cdot |\text{rank}(x_{ij})
    - \text{rank}(x'_{ij})|$

    Intruder: has maximum knowledge: the whole original file and the whole release. All that such an intruder does not
    know is which row belongs to which record, so only the distances in rank protect a record.

    Use it when releases of different methods are to be compared by one figure, or a person in the file asks how far the
    values were moved.
    """
    def __init__(self, *, distance: float = 0.05) -> None:
        """distance: largest move in rank that does not protect a record, as a share of the records; 0 to 1"""

class PitmanUniqueness(_PitmanUniqueness):
    r"""Estimated share of records that are unique in the population, by Pitman's model of a random partition.

    The two parameters of the partition are those of greatest likelihood for the sample; the expected number of uniques
    among N records is exact, not the limit for large N. The model holds for samples of any size, since each sample of
    such a partition is one. Records with missing keys are left out of the model. The figure has no interval.

    Formula: $\frac{U}{N}$,  $U = N \cdot \frac{\Gamma(\theta + 1) \, \Gamma(\theta + \alpha + N - 1)}{\Gamma(\theta +
    \alpha) \, \Gamma(\theta + N)} \approx N^{\alpha} \cdot \frac{\Gamma(\theta + 1)}{\Gamma(\theta + \alpha)}$

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the sample is a small part of the population.
    """
    def __init__(self) -> None: ...

class PoissonGammaUniqueness(_PoissonGammaUniqueness):
    """Estimated share of records that are unique in the population, class sizes being Poisson with gamma rates.

    The sizes are then negative binomial, in the population and in the sample. The model is fitted by maximum
    likelihood to the sizes seen, given that they are above 0: combinations of keys that do not occur in the sample,
    possible or not, have no influence. Records with missing keys are left out of the model. The figure has no interval.

    Formula: U / N,  U = K · r · p^r · (1 − p),  F ~ NB(r, p) the size of each of K classes

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the classical model of the 1990s is to be compared with; it has too few large classes for most files.
    """
    def __init__(self) -> None: ...

class PopulationUniqueness(_PopulationUniqueness):
    r"""Estimated share of records that are unique in the population, by the model that fits the size of the sample.

    Up to a sampling share of 0.1 the estimate is Pitman's; above, the smaller of Zayatz's and the one from the shifted
    negative binomial law. Those that were computed are in the details. The figure has no interval.

    Formula: $\frac{1}{N} U_{\text{Pitman}}$ for $\pi \le 0.1$, else $\frac{1}{N} \min(U_{\text{Zayatz}},
    U_{\text{SNB}})$,  $\pi = \frac{n}{N}$

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the file is a sample, with weights or of a known file, and you want one figure.
    """
    def __init__(self) -> None: ...

class PossibleRows(_PossibleRows):
    r"""Mean probability of a correct match by a random choice among the rows that the recipe leaves possible.

    For each record the rows are counted that the published method and parameters do not rule out, by what theory
    promises. A random choice is correct with probability 1 / their number, at most: where records were left out, the
    record may have no row. The smallest number is the k of the file for an intruder who knows the recipe; it is in the
    details, beside the smallest class by the usual rule, by which a missing key agrees with every value. That rule also
    counts rows that contradict a record: where it counts three rows, only one may be possible. Rows are ruled out
    record by record; an intruder who matches all records jointly, or who repeats a suppression, may rule out more. On
    large files a random part of the known records is counted.

    Formula: $\frac{1}{m} \sum_x \frac{1}{|R(x)|}$,  $R(x)$ the rows that can belong to $x$;  0 where there is none

    Intruder: knows the recipe and the keys of some records, without error, and rules out rows that cannot be theirs.

    Use it when keys were suppressed or recoded, to see whether the classes of k-anonymity hide anybody; for what an
    intruder gains by choosing in these sets, read the intersection attack.
    """
    def __init__(self, *, group_size: int = 3, max_records: int = 10000) -> None:
        """group_size: smallest number of rows that must be possible (k); at least 1
        max_records: largest number of known records to count rows for, drawn at random; at least 1
        """

class PosteriorAttack(_PosteriorAttack):
    r"""Share of records re-identified by linking each to the row of greatest posterior probability, method known.

    Every row is equally likely beforehand; the law of the masking, its probability of each released row given the
    original record, weights them, and a row that suits many of the known records counts less, if all records are known.
    Where a method excludes nothing, as attack-resistant methods do, this is what an informed intruder still gains over
    plain linkage. Of steps that mask the same attributes one after the other, the intruder learns a law by masking the
    release again by them. The details give the mean posterior of the true row, and how many rows the posterior leaves
    open (the exponential of its entropy). On large files a random part of the records is attacked.

    Formula: link $x$ to $\operatorname{argmax}_r \frac{\Pr[r \mid x]}{\sum_y \Pr[r \mid y]}$,  $\Pr[r \mid x]$ the
    published law, $y$ all known records

    Intruder: knows some attributes of a record exactly, and the method and its parameters.

    Use it when a random method is published whose law is known (noise, PRAM, rank swapping and its variants, fuzzy
    microaggregation), or a chain of maskings of the same attributes.
    """
    def __init__(self, *, max_records: int = 5000) -> None:
        """max_records: largest number of records to attack, drawn at random; at least 1"""

class ProbabilisticLinkage(_ProbabilisticLinkage):
    r"""Share of records re-identified by linking each to the released one with the greatest weight of agreements.

    A pair of records agrees on an attribute or not. How often pairs of the same person (m) and of two persons (u) agree
    is estimated from the counts of all patterns by expectation-maximisation, with one true pair per record; an
    agreement then has the weight log₂(m / u), a disagreement log₂((1 − m) / (1 − u)). Ties share the credit. The figure
    depends strongly on what agreement means for masked numbers: by default, that both are in the same decile of the
    original. Other attributes agree where they are equal, or one is above the other in the hierarchy. A missing value
    weighs nothing. The details give m, u, the weights, and the thresholds beyond which a pair is called a link or a
    non-link. On large files a random part of the known records is linked.

    Formula: link $x$ to $\operatorname{argmax}_r \sum_j w_j(\gamma_j(x, r))$,  $\gamma$ the agreement pattern

    Intruder: knows some attributes of a record exactly, and has no example of a correct link.

    Use it when keys are of several kinds, and beside distance-linkage: it needs no common scale.
    """
    def __init__(
        self,
        *,
        max_records: int = 10000,
        agreement: Criterion | str = ...,
        categories: Criterion | str = ...,
        one_to_one: bool = False,
        false_links: float = 0.0001,
        missed_links: float = 0.05,
    ) -> None:
        """max_records: largest number of known records to link, drawn at random; at least 1
        agreement: when ordered values agree: bins(count), tolerance(deviations), rank-tolerance(share) or exact
        categories: when other values agree: hierarchical(levels) or exact
        one_to_one: link no row twice: the greatest total weight, for files of a few thousand
        false_links: probability that a pair of two persons is called a link; 0 to 1
        missed_links: probability that a pair of one person is called a non-link; 0 to 1
        """

class ProsecutorRisk(_ProsecutorRisk):
    r"""Largest probability of a correct match for somebody who is known to be in the release.

    A pick among the records that agree is correct with probability 1 / f. The largest probability is that of the person
    most at risk; the mean and the share of records above a threshold are in the details. It has no interval, since it
    is computed for this file and not estimated. Where keys are missing, the details give the figure by both readings of
    a missing key, and the higher one counts. A record without any key is not safe: if it is the only one, an intruder
    who sees that no other row can be the person's has found it.

    Formula: $\max_i \frac{1}{f_i}$,  $f_i$ the number of released records that agree with record $i$ on the keys

    Intruder: looks for a certain person, knows the keys and that the person is in the release.

    Use it when participation is no secret, as in a register, a census or a file about one's own colleagues.
    """
    def __init__(self, *, holes: Holes | str = ..., threshold: float = 0.2) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        threshold: probability above which a record counts as at risk; 0 to 1
        """

class PublisherPayout(_PublisherPayout):
    r"""Share of what an unmasked file is worth that its publisher pays for the records that intruders re-identify.

    A released record brings the publisher its benefit times the information left in its keys. An intruder attacks the
    records from which the expected gain exceeds the effort; the publisher then pays the damage for those that are
    re-identified, in a class of f rows one of f. The details have the payout, which is what all records bring less what
    the publisher pays, as a total, for each record, and as a share of what the unmasked file is worth; the numbers of
    attacked records and of those that cost more than they bring; and the intruder's profit. Records without any key
    bring nothing and are not attacked. A policy limits the payout from below, and of several releases the one with the
    highest payout is the best.

    Formula: $\frac{1}{n B} \sum_i a_i \frac{D}{f_i}$,  $a_i = 1$ where $\frac{G}{f_i} > E$;  $\text{payout} = \sum_i
    B (1 - \mathrm{NCP}_i) - a_i \frac{D}{f_i}$;  benefit $B$, damage $D$, gain $G$, effort $E$

    Intruder: knows the keys of everybody in the release, and attacks where that pays.

    Use it when a policy weighs what a release is worth against what a re-identification costs, rather than setting a
    limit on risk alone.
    """
    def __init__(
        self,
        *,
        holes: Holes | str = ...,
        benefit: float = 1200.0,
        damage: float = 300.0,
        gain: float = 300.0,
        effort: float = 4.0,
    ) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        benefit: what an unmasked record is worth to the publisher; at least 1e-09
        damage: what the publisher pays for a re-identified record; at least 0
        gain: what an intruder gains from a re-identified record; at least 0
        effort: what an attempt to re-identify a record costs the intruder; at least 0
        """

class RankLinkage(_RankLinkage):
    r"""Share of records re-identified by linking each to the one with the nearest ranks.

    A known value is ranked among the original's values, a released one among the released; ties take the mean rank.
    Skewed attributes and any masking that keeps the order, such as a change of units, make no difference.

    Formula: $d^2(a, b) = \sum_j (\frac{\text{rank}_X(a_j)}{|X|} - \frac{\text{rank}_{X'}(b_j)}{|X'|})^2$

    Intruder: knows some attributes of a record exactly, and the distribution of each in the original.

    Use it when attributes are skewed, and against methods that work on ranks.
    """
    def __init__(self, *, max_records: int = 10000, reverse: bool = False) -> None:
        """max_records: largest number of known records to link, drawn at random; at least 1
        reverse: link each released record to the nearest known one instead
        """

class Reconstruction(_Reconstruction):
    r"""Share of records whose replaced values follow from a few other records and exactly preserved statistics.

     A method that keeps means, covariances or regression estimates exactly publishes the products xᵗy of what is kept
    (x, an intercept among it) and what is replaced (y). For any combination w of the columns of x the sum of (xᵢ·w) yᵢ
    is then known: an intruder who knows y of all others with xᵢ·w ≠ 0 solves for the one that is left. Few others are
    enough where a combination vanishes at nearly all records: a region with three people discloses the third to the
    other two. A record that dominates a column of x, such as the largest firm, lies on its own regression line: its
    value follows from the estimates alone, as does everybody's where x explains nearly all of y; these count as well,
    where the standard error is within the tolerance. The number of others is searched over columns, their differences
    and sparse combinations; it is exact in small cases, and otherwise an upper bound on the protection. What rounding
    and clipping leave open is taken into account. The details give the numbers, and how wide the interval is in which a
    value lies when several are not known: half its width in standard deviations, from xᵗy and yᵗy.

    Formula: $\frac{1}{n} \cdot |\{i : o_i \le \text{others} \text{ or } \sigma \sqrt{1 - h_i} \le \text{tolerance}\}|$,
    $o_i = \min_w \{\lVert X w \rVert_0 - 1 : x_i \cdot w \ne 0\}$,  $h_i$ the leverage of $i$,  $\sigma$ the standard
    deviation of the residuals over that of $y$

    Intruder: knows x of everybody, as it is released, and y of some others: a family, a firm, a class.

    Use it when the recipe has a method that preserves statistics exactly, such as IPSO-C or a hybrid.
    """
    def __init__(self, *, others: int = 10, tolerance: float = 0.05) -> None:
        """others: other records that the intruder may know; at least 0
        tolerance: how far off a value may be, in standard deviations; 0 to 1
        """

class RecordIntervalDisclosure(_RecordIntervalDisclosure):
    """Share of records all of whose values lie within an interval around the published ones.

    Around each published value an interval reaches `share` standard deviations of the masked column to either side; a
    record counts if every original value is inside (sdcMicro's dRisk lets one be outside). With `robust` the interval
    of an outlying record is wider, by its robust Mahalanobis distance relative to the median one: a value that is far
    from all others is disclosed by a less exact figure, too (dRiskRMD). With `crowd`, a record does not count if at
    least that many other released rows lie within 0.1 standard deviations of its own in every attribute: the intruder
    cannot say which of them belongs to the person. A value that was removed is in no interval, and one that was missing
    before is not judged. The baseline pairs records and rows at random.

    Formula: mean over i of [|xᵢⱼ − x′ᵢⱼ| ≤ share · sⱼ · wᵢ for every j],  wᵢ = 1 or max(1, dᵢ / median d)

    Intruder: knows to whom each released record belongs and takes the published values for the true ones.

    Use it when numbers were masked by noise or microaggregation, and a record is disclosed only as a whole.
    """
    def __init__(self, *, share: float = 0.05, robust: bool = False, crowd: int = 0) -> None:
        """share: reach of an interval, in standard deviations; 0.001 to 1
        robust: intervals grow with the robust Mahalanobis distance of the record
        crowd: number of other released rows nearby from which on a record is safe; 0: not considered; at least 0
        """

class RecursiveLDiversity(_RecursiveLDiversity):
    r"""Share of released records in whose group the most frequent value is too frequent relative to the rarer ones.

    With the counts of values in descending order, the first must be less than c times the sum from the l-th on:
    excluding some values still leaves doubt. Missing and several attributes are handled as in distinct-l-diversity.

    Formula: $\frac{1}{n} \cdot |\{i : r_1 \ge c \cdot (r_l + \cdots + r_m)\}|$,  $r_1 \ge r_2 \ge \ldots \ge r_m$ the
    counts of values in the group of $i$

    Intruder: knows the keys of somebody in the release, can exclude some values, and guesses the most frequent left.

    Use it when one value is common and harmless, such as 'none', and entropy is too demanding.
    """
    def __init__(self, *, holes: Holes | str = ..., diversity: int = 2, bands: int = 10, ratio: float = 3.0) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        diversity: smallest number of values in a group (l); at least 1
        bands: numbers count as this many bands of equal frequency; at least 2
        ratio: bound on the count of the most frequent value, as a multiple of that of the rarer ones (c); at
            least 0
        """

class RefinementAttack(_RefinementAttack):
    r"""Share of nodes re-identified by an intruder who knows the degrees around each: H₁, H₂ or H₃.

    H₁ is the degree of a node, H₂ the degrees of its neighbours, H₃ the neighbours' H₂, and so on; where links have
    directions, those from and to a node are distinguished in each. The figure is that of the last round; the details
    give every round, because a graph that hides degrees often does not hide the degrees of neighbours.

    Formula: $\frac{1}{n} \sum_i \frac{[H'(i) = H(i)]}{|\{r : H'(r) = H(i)\}|}$,  $H_t(v)$ the multiset $\{H_{t-1}(u) :
    u \in N(v)\}$

    Intruder: knows the links around somebody, as far out as the number of rounds.

    Use it when links are released unchanged for most nodes; where edges are masked at random, exact patterns seldom
    survive, and an intruder who weighs likely changes finds more (`informed-graph-intruder`).
    """
    def __init__(self, *, rounds: int = 3) -> None:
        """rounds: rounds of refinement (the paper's i); 1 to 20"""

class SdIntervalDisclosure(_SdIntervalDisclosure):
    r"""Share of values that lie within a small share of a standard deviation of their published value.

    The standard deviation is that of the masked column, which everybody can compute; the figure is averaged over 1 %,
    2 % … of it up to `widest`, over attributes and records, and the details give the curve by width. In a skewed
    attribute the many small values lie close together on this scale and count as disclosed; interval-disclosure asks
    for ranks instead. The baseline pairs records at random.

    Formula: mean over $w, j, i$ of $[|x_{ij} - x'_{ij}| \le w \cdot s_j]$,  $s_j$ the standard deviation of the masked
    attribute $j$

    Intruder: knows to whom each released record belongs and takes the published values for the true ones.

    Use it when distance in the attribute's own units is what counts, as for outlying values.
    """
    def __init__(self, *, widest: float = 0.1) -> None:
        """widest: widest interval, as a share of the ranks or of the deviation; 0.01 to 1"""

class SeedPropagationAttack(_SeedPropagationAttack):
    r"""Share of nodes re-identified by an intruder who starts from a few known pairs and matches their neighbours.

    Two nodes are matched where they have more matched neighbours in common than any other pair of either of them, by a
    clear margin; then their neighbours are compared again. The seeds are not counted.

    Formula: $\text{score}(i, r) = \frac{|\{(s, s') \text{ matched} : i \sim s, r \sim s'\}|}{\sqrt{d_i \cdot
    d'_r}}$,  matched where the best exceeds the second by `margin`, both ways

    Intruder: knows the links of the original, and who a few of the released nodes are.

    Use it when the release may be combined with another network of the same people.
    """
    def __init__(self, *, seeds: int = 20, margin: float = 0.02) -> None:
        """seeds: pairs known from the start; at least 1
        margin: by how much the best score must exceed the second; at least 0
        """

class Separation(_Separation):
    r"""Share of the pairs of released records that differ in some of the known keys.

    A set of keys that separates nearly all pairs is a quasi-identifier, whatever role it was declared with. The details
    give for each set of at most `keys` keys its separation and its distinction, the number of distinct combinations by
    the number of records, those that separate most first. Where keys are missing, the details give the figure by both
    readings of a missing key, and the higher one counts.

    Formula: $\frac{|\{(i, j) : x_i \ne x_j \text{ on the keys}\}|}{n (n - 1) / 2}$;  $\text{distinction} =
    \frac{|\{x_i\}|}{n}$

    Intruder: compares keys, and chooses those that distinguish most persons.

    Use it when it is not clear which attributes are keys, or which of them to generalise first.
    """
    def __init__(self, *, holes: Holes | str = ..., keys: int = 2, listed: int = 20) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        keys: largest number of keys in the sets that the details list; at least 1
        listed: number of sets that the details list; at least 1
        """

class SinglingOut(_SinglingOut):
    r"""Share of descriptions of exactly one released row that also fit exactly one person of the original.

    The intruder takes a released row and some of its attributes at random, and describes it: a category is the same, a
    number is at least or at most that of the row, whichever is farther from the median. Descriptions that fit no other
    released row are used. The baseline is how often random descriptions single out a person. With a control file the
    same descriptions are counted there, and the excess is the part of the success that comes from being in the
    original; where the two files differ in length, the probability of a single match is computed for the length of the
    shorter one. Without a control the figure includes what can be inferred about anybody: outliers are singled out by
    any good synthetic file.

    Formula: $\text{excess} = \frac{r - c}{1 - c}$,  $r = \frac{|\{p : p \text{ fits one released row and one
    record}\}|}{|\{p : p \text{ fits one released row}\}|}$,  $c$ the same in the control

    Intruder: has the release alone, and claims that exactly one person in the original is as described.

    Use it when synthetic data are to be judged by the three criteria of the European data protection authorities.
    """
    def __init__(self, *, conditions: int = 3, attacks: int = 500) -> None:
        """conditions: attributes in a description; 1: rare values and extremes; at least 1
        attacks: number of descriptions; at least 1
        """

class SnbUniqueness(_SnbUniqueness):
    r"""Estimated share of records that are unique in the population, class sizes being shifted negative binomial.

    The distribution is fitted to the sizes seen in the sample by maximum likelihood, under Bernoulli sampling; classes
    without a sampled record are not observed. Records with missing keys are left out of the model. The
    figure has no interval.

    Formula: $\frac{U}{N}$,  $U = K \cdot p^r$,  $K$ the number of classes in the population, $F - 1 \sim \mathrm{NB}(r,
    p)$ their sizes

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the sample is a large part of the population and Zayatz's estimate is larger.
    """
    def __init__(self) -> None: ...

class StrengthAttack(_StrengthAttack):
    r"""Share of nodes re-identified by an intruder who knows the sum of the weights of each node's links.

    The intruder links each node to the released one of nearest strength, from and to it where links have directions;
    nodes that are equally near share the credit. Without weights the strength of a node is its degree.

    Formula: $\frac{1}{n} \sum_i \frac{[\text{row of } i \in C(i)]}{|C(i)|}$,  $C(i) =
    \operatorname{argmin}_r |s'_r - s_i|$,  $s_v = \sum_{u \sim v} w_{uv}$

    Intruder: knows totals, such as calls made, money sent or trips between places.

    Use it when edges have weights whose sum by node may be known.
    """
    def __init__(self) -> None: ...

class SubgraphAttack(_SubgraphAttack):
    r"""Share of nodes re-identified by an intruder who knows a few links around each.

    For every target a connected subgraph of known links is grown at random. The candidates are the released nodes
    around which such a subgraph exists; other links may exist too, as the intruder knows no absent ones.

    Formula: $\frac{1}{n} \sum_i \frac{[\text{row of } i \in C(i)]}{|C(i)|}$,  $C(i) = \{r : Q(i) \subset G' \text{ with
    } i \text{ at } r\}$, $|E(Q(i))|$ = `links`

    Intruder: knows some links around somebody, such as a chain of acquaintances, and not whether there are others.

    Use it when single links may be known and whole neighbourhoods may not.
    """
    def __init__(self, *, links: int = 5, targets: int = 100) -> None:
        """links: links known around a node (the paper's edge facts); 1 to 10
        targets: nodes attacked at most; 0: all that are known; at least 0
        """

class Suda2(_Suda2):
    r"""Mean probability of a correct match on special uniques, records unique by few of their keys (DIS-SUDA).

    A minimal sample unique (MSU) is a set of keys on which a record is unique and no part of which makes it so; one of
    s keys out of m scores (m − s)!, and a record the sum over its MSUs. The probability that a unique match in the file
    is correct, by the data intrusion simulation (DIS), is distributed over the uniques by their scores. By attribute:
    the share of all scores that involves it. A missing key is never part of an MSU. Where keys are missing, the details
    give two figures and the higher one counts: by any-value a hole in another record agrees with every value and so
    cancels an MSU; by own-value it agrees with none, as in sdcMicro.

    Formula: $\frac{1}{n} \sum_i \frac{1}{1 + (U / \theta - U) / (S_i^q \cdot \sum S^{-q})}$,  $\theta = \frac{U \pi}{U
    \pi + P (1 - \pi)}$,  $q = 1 + \frac{8 - m}{20}$

    Intruder: recognises a person by a striking combination of few characteristics.

    Use it when keys are categorical and you want to see which records and which keys to recode or suppress first.
    """
    def __init__(self, *, holes: Holes | str = ..., sampling_fraction: float = 0.1, largest: int = 5) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        sampling_fraction: assumed share of the population that is in the file; 0 to 1
        largest: largest number of keys in a minimal sample unique; at least 1
        """

class SurvivingDigits(_SurvivingDigits):
    r"""Share of records whose row an intruder finds by the last digits of the masked values alone.

    The digits are those after the decimal point, at least two, to the decimals that the original needs. Attributes that
    were changed count, or all where none was; of these, the ones whose digits agree in a record and its row more often
    than by accident. Noise in whole units leaves the cents, a shift of all values leaves all digits, and a masking that
    changes some of the values leaves the digits of the others. Ties share the credit.

    Formula: $\frac{1}{n} \sum_i \frac{[t_i = t'_i]}{|\{r : t'_r = t_i\}|}$,  $t$ the last digits of the attributes
    whose digits survive

    Intruder: knows the values of a record exactly and compares their last digits with the released ones.

    Use it when values were masked elsewhere, or by a method that moves values by steps or leaves some unchanged.
    """
    def __init__(self, *, changed_only: bool = False) -> None:
        """changed_only: leave out the values that the masking did not change"""

class TCloseness(_TCloseness):
    r"""Share of released records whose group, the records that agree on the keys, is farther than t from the file.

    The distance between two distributions of a confidential attribute is the work to turn one into the other (earth
    mover's distance): the share to be moved, times how far. Unordered values are all 1 apart, m ordered ones are
    1 / (m − 1) from one to the next, those of a hierarchy as far as the level of their lowest common ancestor. Missing
    confidential values are not counted. More than `bands` different numbers become bands. Where keys are missing, the
    details give the figure by both readings of a missing key, and the higher one counts.

    Formula: $\frac{1}{n} \cdot |\{i : \mathrm{EMD}(P_i, Q) > t\}|$,  $P_i$ and $Q$ the shares of values in the group of
    $i$ and in the file

    Intruder: knows the distribution in the file and learns how that of the persons with the known keys differs from it.

    Use it when values differ in how sensitive or how similar they are, which l-diversity does not take into account.
    """
    def __init__(self, *, holes: Holes | str = ..., closeness: float = 0.2, bands: int = 100) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        closeness: largest distance allowed (t); 0 to 1
        bands: bands of equal frequency into which numbers are put where they have more distinct values; at least
            2
        """

class Uniqueness(_Uniqueness):
    r"""Share of released records that are unique in the release on the known keys.

    The release is taken by itself: a record can be unique there by an accident of the noise and still not be
    re-identified, so read this figure beside a linkage. Where keys are missing, the details give the figure by both
    readings of a missing key, and the higher one counts: otherwise a blank row would agree with everybody.

    Formula: $\frac{1}{n} \cdot |\{i : f_i = 1\}|$,  $f_i$ the number of released records that agree with record $i$ on
    the keys

    Intruder: knows the keys of somebody in the release and looks for the one record that fits.

    Use it when keys are published unchanged or coarsened (recoded, suppressed, averaged in groups).
    """
    def __init__(self, *, holes: Holes | str = ...) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)"""

class UnsafeCombinations(_UnsafeCombinations):
    r"""Share of released records with a combination of few keys that too few records share.

    All sets of up to `dimension` keys are examined; a combination of values is unsafe if fewer than `threshold`
    records have it. By attribute: the share of records for which it is part of a minimal unsafe combination, one no
    part of which is unsafe. A missing key is never part of a combination. Whether it agrees with every value or with
    none is read both ways where keys are missing; the details give both figures, and the higher one counts.

    Formula: $\frac{1}{n} \cdot |\{i : f_K(i) < \text{threshold for some set } K \text{ of at most } d \text{ keys}\}|$

    Intruder: knows only a few of the keys, and it is not known which.

    Use it when no intruder is likely to know all keys at once: it is less demanding than k-anonymity on all of them.
    """
    def __init__(self, *, holes: Holes | str = ..., dimension: int = 3, threshold: int = 3) -> None:
        """holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        dimension: largest number of keys in a combination (d); at least 1
        threshold: smallest number of records that must share a combination; at least 1
        """

class WeightedDisclosureRisk(_WeightedDisclosureRisk):
    r"""Mean probability of re-identifying a record by guessing in its cluster, weighted by cluster sizes in both files.

    Lies between the minimal and the maximal disclosure risk for every matrix that satisfies the rules: weights are
    largest on the diagonal of each row and column and fall along every diagonal. Weights are `up-to(3)` (clusters of
    three count fully, larger ones not), `inverse-size(0.9)`, `equal`, `uniques`, or `matrix(4 2;2 1)`, a matrix of your
    own that is checked rule by rule.

    Formula: $\max_v \prod_k (1 - v_k \cdot \mathrm{icf}_k) \cdot \frac{1}{n \cdot w_{11}} \sum_{i, j} w_{ij} \cdot
    \frac{c^v_{ij}}{\max(i, j)}$

    Intruder: knows the keys of everybody in the original, guesses within clusters that agree on them, and picks the
    keys to link by.

    Use it when a guess among two records counts as a disclosure and a guess among ten does not.
    """
    def __init__(
        self,
        *,
        weak_change: WeakChange | str = ...,
        holes: Holes | str = ...,
        weights: Weights | str = ...,
    ) -> None:
        """weak_change: rule for changes within a hierarchy: by-depth, by-leaves or any-change
        holes: what a missing key counts as: any-value, own-value, or stricter (the higher figure)
        weights: weights of cluster sizes: up-to(3), inverse-size(1), equal, uniques or matrix(…)
        """

class WeightedMeanLinkage(_WeightedMeanLinkage):
    r"""Share of records that the best weighted mean of the attribute differences links to their own row.

    The weights say which attributes disclose most. Standardised numbers differ by their squared difference, categories
    by their distance in the tree, or by 0 and 1 without a tree. Where the release lacks a value, the difference is the
    mean one of the known value from all released values. In a file with categories absolute differences of numbers are
    tried too, as in mixed linkage, whose distance is the one with equal weights. Rows that no weights distinguish share
    a link, in the figure and in its proven bound; any other tie is no link.

    Formula: $\max_w |\{i : d_w(a_i, b_i) < d_w(a_i, b_j) \text{ for all } j \ne i\}|$,  $d_w(a, b) = \sum_l w_l \,
    \text{diff}_l(a, b)$,  $w \ge 0$

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when the worst case of distance linkage is needed, with a proof and weights that say where to mask more.
    """
    def __init__(
        self,
        *,
        budget: float = 2.0,
        reverse: bool = False,
        strict: bool = False,
        absolute: bool | None = None,
        missing_apart: bool = False,
        within: bool = False,
        holdout: float = 0.0,
        max_records: int = 2000,
    ) -> None:
        """budget: seconds of CPU to search and to prove; at least 0
        reverse: link each released record to the nearest known one instead
        strict: count a tie as no link, in the figure and in its bound; else rows that no distance distinguishes
            share it
        absolute: compare numbers by absolute instead of squared differences; by default, with categories both are
            tried
        missing_apart: give missing values weights of their own instead of the difference to expect of the value
        within: link only to rows that the published recipe leaves possible
        holdout: share of the records to learn on; links on the others are in the details; 0 to 1
        max_records: largest number of records to learn on, drawn at random; at least 1
        """

class WeightedMeanMetricLinkage(_WeightedMeanMetricLinkage):
    """Share of records that the best weighted mean with positive weights links to their own row.

    With positive weights only identical records are at distance 0, so the root of the mean of squared differences is a
    distance. The most links are those of weighted-mean-linkage, as small weights change no link that has a margin.

    Formula: as weighted-mean-linkage, with $w > 0$

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when the intruder is supposed to use a proper distance of all known attributes.
    """
    def __init__(
        self,
        *,
        budget: float = 2.0,
        reverse: bool = False,
        strict: bool = False,
        absolute: bool | None = None,
        missing_apart: bool = False,
        within: bool = False,
        holdout: float = 0.0,
        max_records: int = 2000,
    ) -> None:
        """budget: seconds of CPU to search and to prove; at least 0
        reverse: link each released record to the nearest known one instead
        strict: count a tie as no link, in the figure and in its bound; else rows that no distance distinguishes
            share it
        absolute: compare numbers by absolute instead of squared differences; by default, with categories both are
            tried
        missing_apart: give missing values weights of their own instead of the difference to expect of the value
        within: link only to rows that the published recipe leaves possible
        holdout: share of the records to learn on; links on the others are in the details; 0 to 1
        max_records: largest number of records to learn on, drawn at random; at least 1
        """

class WorstCase(_WorstCase):
    r"""Largest share of records re-identified by any of the quick attacks that apply to the release.

    The attacks are those of the catalogue that re-identify records within seconds and that an intruder can carry out,
    which leaves out those that learn from the true links. Where the recipe has several steps, an attack that uses the
    recipe is also tried on each step alone, as if the other steps had not been applied. Interval, baseline and figures
    by record are those of the strongest attack; the details give the figure of each.

    Formula: $\max_a$ of the share of records that attack $a$ re-identifies

    Intruder: carries out every quick attack and relies on the one that turns out to be the strongest.

    Use it when every attack of the literature is to count. It measures all of them, so it is slow; the main figures
    are those of the intruders who combine all that is known.
    """
    def __init__(self) -> None: ...

class ZayatzUniqueness(_ZayatzUniqueness):
    r"""Estimated share of records that are unique in the population, assuming class sizes distributed as in the sample.

    The probability that a sample unique is a population unique follows from Bayes' rule, with the shares of class sizes
    in the sample taken for those in the population. In a small sample classes look smaller than they are and the figure
    is far too high. Records with missing keys are left out of the model. The figure has no interval.

    Formula: $\frac{U}{N}$,  $U = \frac{u_1}{\pi} \cdot \frac{p_1 \pi}{\sum_j p_j \, j \, \pi (1 - \pi)^{j -
    1}}$,  $p_j$ the share of classes of size $j$, $u_1$ sample uniques

    Intruder: finds a unique record and wants to know whether there can be anybody else in the population.

    Use it when the sample is a large part of the population.
    """
    def __init__(self) -> None: ...
