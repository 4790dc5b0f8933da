/** The usual constant: how much less the tenth counts than the first. */
const K = 60

/** One order of several, by reciprocal rank: 0 to 1, 1 for what all of them put first. @param lists of ids, the best first */
export function fuse(lists: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>()
  const most = lists.length / (K + 1)
  for (const list of lists)
    for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + rank + 1) / most)
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}
