import numpy as np
from sklearn.linear_model import Ridge
from sklearn.metrics import ndcg_score
from sklearn.model_selection import GroupKFold

rng = np.random.default_rng(7)
qid = np.repeat(np.arange(12), rng.integers(4, 9, size=12))
X = rng.normal(size=(qid.size, 3))
y = rng.integers(0, 4, size=qid.size)

folds = []
for train, test in GroupKFold(3).split(X, y, qid):
    model = Ridge().fit(X[train], y[train])
    queries = [test[qid[test] == query] for query in np.unique(qid[test])]
    values = [ndcg_score([y[rows]], [model.predict(X[rows])], k=5) for rows in queries]
    folds.append(np.mean(values))
means = {f"fold {number}": value for number, value in enumerate(folds, start=1)}
