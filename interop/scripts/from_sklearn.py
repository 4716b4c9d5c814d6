from sklearn.metrics import dcg_score, ndcg_score

y_true = [[3, 2, 3, 0, 1, 2], [0, 1, 0, 2, 0, 1]]
y_score = [[0.9, 0.8, 0.8, 0.3, 0.3, 0.1], [0.5, 0.5, 0.4, 0.2, 0.2, 0.1]]
means = {
    "NDCG@5": ndcg_score(y_true, y_score, k=5),
    "NDCG, weighted": ndcg_score(y_true, y_score, sample_weight=[1, 3]),
    "DCG@5": dcg_score(y_true, y_score, k=5),
}
