from sklearn import set_config
from sklearn.metrics import make_scorer
from sklearn.model_selection import cross_validate

from ndcg_ref import ndcg_score

set_config(enable_metadata_routing=True)
scorer = make_scorer(ndcg_score, k=5).set_score_request(qid=True)
given = {"groups": qid, "qid": qid}
ours = cross_validate(Ridge(), X, y, cv=GroupKFold(3), scoring=scorer, params=given)["test_score"]
