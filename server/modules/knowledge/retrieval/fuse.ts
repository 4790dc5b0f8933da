/** The usual constant of reciprocal rank fusion. */
const K = 60

/**
 * Merges rankings by reciprocal rank fusion: scores from 0 to 1, 1 for an item that is first in all. @param lists of
 * ids, best first
 */
export function fuse(lists: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>()
  const most = lists.length / (K + 1)
  for (const list of lists)
    for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + rank + 1) / most)
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score)
}
