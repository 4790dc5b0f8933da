import { type Box, GRID, type Point } from './geometry'

/** Aligns, distributes and tidies boxes: computes new positions, without knowing the flow. */

export interface PlacedBox extends Box {
  id: string
}
export type Alignment = 'left' | 'centre' | 'right' | 'top' | 'middle' | 'bottom'
export type Arrangement = 'row' | 'column' | 'grid'
export type Axis = 'x' | 'y'

/** Moves every box to one edge or centre line of their bounding box. */
export function align(boxes: readonly PlacedBox[], to: Alignment): Map<string, Point> {
  const all = around(boxes)
  return changed(boxes, (box) => {
    if (to === 'left') return { x: all.x, y: box.y }
    if (to === 'centre') return { x: Math.round(all.x + (all.width - box.width) / 2), y: box.y }
    if (to === 'right') return { x: all.x + all.width - box.width, y: box.y }
    if (to === 'top') return { x: box.x, y: all.y }
    if (to === 'middle') return { x: box.x, y: Math.round(all.y + (all.height - box.height) / 2) }
    return { x: box.x, y: all.y + all.height - box.height }
  })
}

/** Equalizes the gaps along an axis. The first and the last box stay; without enough space all overlap equally. */
export function distribute(boxes: readonly PlacedBox[], axis: Axis): Map<string, Point> {
  const size = axis === 'x' ? 'width' : 'height'
  const order = [...boxes].sort((a, b) => a[axis] - b[axis] || a[axis] + a[size] - b[axis] - b[size])
  const last = order.at(-1)
  if (!last || !order[0] || order.length < 3) return new Map()
  const start = order[0][axis]
  const filled = order.reduce((sum, box) => sum + box[size], 0)
  const gap = (last[axis] + last[size] - start - filled) / (order.length - 1)
  const places = new Map<string, number>()
  let at = start
  for (const box of order) {
    places.set(box.id, box === last ? box[axis] : Math.round(at))
    at += box[size] + gap
  }
  return changed(boxes, (box) => ({ x: box.x, y: box.y, [axis]: places.get(box.id) ?? box[axis] }))
}

/** Space for edges between columns, and between rows. */
const COLUMN_GAP = 96
const ROW_GAP = 40

/** Arranges boxes in a row, a column or a grid, in their present order, starting at their top left corner. */
export function tidy(boxes: readonly PlacedBox[], into: Arrangement): Map<string, Point> {
  const { x: left, y: top } = around(boxes)
  const columns = into === 'row' ? boxes.length : into === 'column' ? 1 : Math.ceil(Math.sqrt(boxes.length))
  const rows = rowsOf(boxes, columns, into)
  const widths = Array.from({ length: columns }, (_, c) => Math.max(0, ...rows.map((row) => row[c]?.width ?? 0)))
  const places = new Map<string, Point>()
  let y = top
  for (const row of rows) {
    let x = left
    row.forEach((box, c) => {
      places.set(box.id, { x, y })
      x += up((widths[c] ?? 0) + COLUMN_GAP)
    })
    y += up(Math.max(...row.map((box) => box.height)) + ROW_GAP)
  }
  return changed(boxes, (box) => places.get(box.id) ?? box)
}

function rowsOf(boxes: readonly PlacedBox[], columns: number, into: Arrangement): PlacedBox[][] {
  const byX = (a: PlacedBox, b: PlacedBox) => a.x - b.x || a.y - b.y
  const byY = (a: PlacedBox, b: PlacedBox) => a.y - b.y || a.x - b.x
  const order = [...boxes].sort(into === 'row' ? byX : byY)
  const rows: PlacedBox[][] = []
  for (let i = 0; i < order.length; i += columns) rows.push(order.slice(i, i + columns).sort(byX))
  return rows
}

/** The bounding box. */
function around(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

function changed(boxes: readonly PlacedBox[], place: (box: PlacedBox) => Point): Map<string, Point> {
  const moved = new Map<string, Point>()
  for (const box of boxes) {
    const { x, y } = place(box)
    if (x !== box.x || y !== box.y) moved.set(box.id, { x, y })
  }
  return moved
}

const up = (value: number): number => Math.ceil(value / GRID) * GRID
