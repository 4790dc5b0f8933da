import type { Box, Point } from './geometry'

const CELL = 1600
/** more rows than any column has */
const ROWS = 2 ** 24
/** A box over more cells is kept in a separate list that every query scans. */
const MOST_CELLS = 48

/** A spatial index of boxes: a query visits only nearby ones. */
export interface BoxIndex {
  set: (id: string, box: Box) => void
  delete: (id: string) => void
  /** ids of the boxes that intersect an area, unsorted */
  within: (area: Box) => string[]
}

export function createBoxIndex(): BoxIndex {
  const boxes = new Map<string, Box>()
  const cells = new Map<number, Set<string>>()
  const large = new Set<string>()

  const remove = (id: string) => {
    const box = boxes.get(id)
    if (!box) return
    boxes.delete(id)
    if (large.delete(id)) return
    eachCell(box, (key) => cells.get(key)?.delete(id))
  }
  return {
    set(id, box) {
      remove(id)
      boxes.set(id, box)
      if (countCells(box) > MOST_CELLS) large.add(id)
      else
        eachCell(box, (key) => {
          const cell = cells.get(key)
          if (cell) cell.add(id)
          else cells.set(key, new Set([id]))
        })
    },
    delete: remove,
    within(area) {
      const found = new Set<string>()
      const look = (ids: Iterable<string>) => {
        for (const id of ids) {
          const box = boxes.get(id)
          if (box && touches(box, area)) found.add(id)
        }
      }
      // an area over most of the canvas has more cells than there are boxes
      if (countCells(area) > boxes.size) look(boxes.keys())
      else {
        look(large)
        eachCell(area, (key) => look(cells.get(key) ?? NONE))
      }
      return [...found]
    },
  }
}

const NONE: readonly string[] = []

export const touches = (a: Box, b: Box): boolean =>
  a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height

export const contains = (box: Box, { x, y }: Point): boolean =>
  x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height

/** A box enlarged on every side. */
export const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

const cell = (at: number) => Math.floor(at / CELL)

const countCells = ({ x, y, width, height }: Box): number =>
  (cell(x + width) - cell(x) + 1) * (cell(y + height) - cell(y) + 1)

/** Numeric cell keys: strings would cost more than all the rest. */
function eachCell({ x, y, width, height }: Box, run: (key: number) => void): void {
  const bottom = cell(y + height)
  const right = cell(x + width)
  for (let column = cell(x); column <= right; column++)
    for (let row = cell(y); row <= bottom; row++) run(column * ROWS + row)
}
