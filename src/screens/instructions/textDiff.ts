import { itemDiff, type TextPart, wordDiff } from '../../../engine/graph/wordDiff'

/** A compared line: in both texts, in one of them, or changed. */
export interface DiffLine {
  change: 'same' | 'added' | 'removed' | 'changed'
  parts: TextPart[]
}
/** Unchanged lines far from any change. */
export interface DiffGap {
  change: 'gap'
  lines: number
}

/** Unchanged lines shown around a change. */
const AROUND = 2

/** Compares two texts line by line, and changed lines word by word. Lines far from any change are only counted. */
export function textDiff(before: string, after: string): (DiffLine | DiffGap)[] {
  return foldSame(pairLines(lineParts(before.split('\n'), after.split('\n'))))
}

type Line = { text: string; change: 'same' | 'added' | 'removed' }

const lineParts = (before: readonly string[], after: readonly string[]): Line[] =>
  itemDiff(before, after).flatMap(({ items, change }) => items.map((text) => ({ text, change })))

/** Pairs a removed line with the added one in its place if they have words in common. */
function pairLines(lines: readonly Line[]): DiffLine[] {
  const shown: DiffLine[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] as Line
    if (line.change === 'same') {
      shown.push(whole(line))
      at += 1
      continue
    }
    let end = at
    while (end < lines.length && lines[end]?.change !== 'same') end += 1
    const removed = lines.slice(at, end).filter(({ change }) => change === 'removed')
    const added = lines.slice(at, end).filter(({ change }) => change === 'added')
    for (let n = 0; n < Math.max(removed.length, added.length); n++) shown.push(...pair(removed[n], added[n]))
    at = end
  }
  return shown
}

function pair(removed: Line | undefined, added: Line | undefined): DiffLine[] {
  if (!removed || !added) return [removed, added].filter((line) => line !== undefined).map(whole)
  const parts = wordDiff(removed.text, added.text)
  const kept = parts.filter(({ change, text }) => change === 'same' && /[\p{L}\p{N}]/u.test(text))
  return kept.length > 0 ? [{ change: 'changed', parts }] : [whole(removed), whole(added)]
}

const whole = ({ text, change }: Line): DiffLine => ({ change, parts: [{ text, change }] })

function foldSame(lines: readonly DiffLine[]): (DiffLine | DiffGap)[] {
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(differs))
  const shown: (DiffLine | DiffGap)[] = []
  for (const [at, line] of lines.entries()) {
    const last = shown.at(-1)
    if (isNear[at]) shown.push(line)
    else if (last?.change === 'gap') last.lines += 1
    else shown.push({ change: 'gap', lines: 1 })
  }
  return shown
}

const differs = ({ change }: DiffLine) => change !== 'same'
