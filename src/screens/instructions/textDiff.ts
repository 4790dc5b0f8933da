import { type TextPart, wordDiff } from '../../../engine/graph/wordDiff'

/** A line of two texts compared: in both, in one of them, or changed within. */
export interface DiffLine {
  change: 'same' | 'added' | 'removed' | 'changed'
  parts: TextPart[]
}
/** Lines in both that stand far from any change. */
export interface DiffGap {
  change: 'gap'
  lines: number
}

/** More comparisons than that are not made: what differs is then shown as a whole. */
const MOST_CELLS = 4_000_000
/** Lines around a change that are shown with it. */
const AROUND = 2

/**
 * How one text became another, line by line, and word by word within lines that changed. Lines far from any change are told by their
 * number alone.
 */
export function textDiff(before: string, after: string): (DiffLine | DiffGap)[] {
  return foldSame(pairLines(lineParts(before.split('\n'), after.split('\n'))))
}

type Line = { text: string; change: 'same' | 'added' | 'removed' }

/** The longest common subsequence of lines. */
function lineParts(a: readonly string[], b: readonly string[]): Line[] {
  if (a.length * b.length > MOST_CELLS) {
    return [
      ...a.map((text) => ({ text, change: 'removed' as const })),
      ...b.map((text) => ({ text, change: 'added' as const })),
    ]
  }
  const width = b.length + 1
  const common = new Uint32Array((a.length + 1) * width)
  const at = (i: number, j: number) => common[i * width + j] as number
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ text: a[i] as string, change: 'same' })
      i += 1
      j += 1
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ text: a[i] as string, change: 'removed' })
      i += 1
    } else {
      lines.push({ text: b[j] as string, change: 'added' })
      j += 1
    }
  }
  return lines
}

/** A removed line and the added one in its place are one line that changed, if they have words in common. */
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
