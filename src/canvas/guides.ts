import type { Box, Point } from './geometry'

/** A guide line during a drag: through aligned edges or centres, or in a gap that equals another one. */
export interface Guide {
  kind: 'line' | 'gap'
  from: Point
  to: Point
}

interface Snap {
  /** the shift that aligns the box; null if nothing is near */
  x: number | null
  y: number | null
  guides: Guide[]
}

/**
 * Snaps a box to its neighbours: their edges and centres, or equal gaps. Each axis separately; the nearest wins.
 *
 * @param tolerance the largest snapping distance, in the boxes' unit
 */
export function snapToNeighbours(box: Box, neighbours: readonly Box[], tolerance: number): Snap {
  const x = nearest(turn(box, 'x'), neighbours.map(toX), tolerance)
  const across = { ...box, x: box.x + (x ?? 0) }
  const y = nearest(turn(across, 'y'), neighbours.map(toY), tolerance)
  const placed = { ...across, y: across.y + (y ?? 0) }
  const lines = x === null ? [] : guidesAlong('x', placed, neighbours)
  // after the vertical shift its row has changed: then the horizontal alignment no longer applies
  if (x !== null && lines.length === 0) return snapDown(box, neighbours, tolerance)
  return { x, y, guides: [...lines, ...(y === null ? [] : guidesAlong('y', placed, neighbours))] }
}

function snapDown(box: Box, neighbours: readonly Box[], tolerance: number): Snap {
  const y = nearest(turn(box, 'y'), neighbours.map(toY), tolerance)
  return { x: null, y, guides: y === null ? [] : guidesAlong('y', { ...box, y: box.y + y }, neighbours) }
}

/** A box along one axis, and its extent along the other one. */
interface Span {
  start: number
  end: number
  low: number
  high: number
}
type Axis = 'x' | 'y'

const turn = (box: Box, axis: Axis): Span =>
  axis === 'x'
    ? { start: box.x, end: box.x + box.width, low: box.y, high: box.y + box.height }
    : { start: box.y, end: box.y + box.height, low: box.x, high: box.x + box.width }
const toX = (box: Box): Span => turn(box, 'x')
const toY = (box: Box): Span => turn(box, 'y')

function nearest(span: Span, others: readonly Span[], tolerance: number): number | null {
  let best: number | null = null
  const offer = (by: number) => {
    if (Math.abs(by) <= tolerance && (best === null || Math.abs(by) < Math.abs(best))) best = by
  }
  for (const other of others) {
    offer(other.start - span.start)
    offer(middle(other) - middle(span))
    offer(other.end - span.end)
  }
  // aligned with the opposite edge: left with right
  for (const other of others) {
    offer(other.start - span.end)
    offer(other.end - span.start)
  }
  for (const gap of gapsFor(span, others)) offer(gap.by)
  return best
}

interface Gap {
  by: number
  /** spans with equal distances, in order, including the box itself */
  row: (Span | 'box')[]
}

/** Positions in its row at which the gaps on both sides are equal, or equal to the neighbours' gap. */
function gapsFor(span: Span, others: readonly Span[]): Gap[] {
  const row = others.filter((other) => other.low < span.high && span.low < other.high).sort((a, b) => a.start - b.start)
  const mid = middle(span)
  const before = row.filter((other) => middle(other) < mid).slice(-2)
  const after = row.filter((other) => middle(other) >= mid).slice(0, 2)
  const size = span.end - span.start
  const [a2, a1] = before.length === 2 ? before : [undefined, before[0]]
  const [b1, b2] = after
  const gaps: Gap[] = []
  if (a1 && b1 && b1.start - a1.end > size) gaps.push({ by: (a1.end + b1.start) / 2 - mid, row: [a1, 'box', b1] })
  if (a1 && a2 && a1.start > a2.end) gaps.push({ by: a1.end + (a1.start - a2.end) - span.start, row: [a2, a1, 'box'] })
  if (b1 && b2 && b2.start > b1.end) gaps.push({ by: b1.start - (b2.start - b1.end) - span.end, row: ['box', b1, b2] })
  return gaps
}

/** The alignments of the box along an axis. */
function guidesAlong(axis: Axis, box: Box, neighbours: readonly Box[]): Guide[] {
  const span = turn(box, axis)
  const others = neighbours.map((other) => turn(other, axis))
  const lines: Guide[] = []
  const edges = [span.start, span.end].filter((at) => others.some((other) => on(other.start, at) || on(other.end, at)))
  const ats = edges.length > 0 ? edges : others.some((other) => on(middle(other), middle(span))) ? [middle(span)] : []
  for (const at of ats) {
    const hit = others.filter((other) =>
      edges.length > 0 ? on(other.start, at) || on(other.end, at) : on(middle(other), at),
    )
    const low = Math.min(span.low, ...hit.map((other) => other.low))
    const high = Math.max(span.high, ...hit.map((other) => other.high))
    lines.push({ kind: 'line', from: point(axis, at, low), to: point(axis, at, high) })
  }
  if (lines.length > 0) return lines
  return gapsFor(span, others)
    .filter(({ by }) => on(by, 0))
    .flatMap(({ row }) => {
      const spans = row.map((part) => (part === 'box' ? span : part))
      const across = (span.low + span.high) / 2
      return spans.slice(1).map((next, i): Guide => {
        const previous = spans[i] ?? next
        return { kind: 'gap', from: point(axis, previous.end, across), to: point(axis, next.start, across) }
      })
    })
}

const middle = ({ start, end }: Span): number => (start + end) / 2
const on = (a: number, b: number): boolean => Math.abs(a - b) < 0.51
const point = (axis: Axis, along: number, across: number): Point =>
  axis === 'x' ? { x: along, y: across } : { x: across, y: along }
