import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBoxIndex, grown, touches } from '../boxIndex'
import { type Box, metrics, type Point } from '../geometry'
import { middleOf, pathOf, routeBox } from './line'
import type { Ends, Route } from './route'
import { routeEdge } from './routeEdge'
import { createRoutes } from './routes'

/** Cards with a minimal distance, some close together and some apart. */
const layouts = fc
  .record({
    cards: fc.array(
      fc.record({
        x: fc.integer({ min: 0, max: 3200 }),
        y: fc.integer({ min: 0, max: 2600 }),
        height: fc.integer({ min: 96, max: 900 }),
      }),
      { minLength: 2, maxLength: 40 },
    ),
    gap: fc.constantFrom(24, 40, 96),
    edges: fc.array(fc.record({ a: fc.nat(39), b: fc.nat(39), out: fc.double({ min: 0, max: 1, noNaN: true }) }), {
      minLength: 1,
      maxLength: 60,
    }),
  })
  .map(({ cards, gap, edges }) => {
    const boxes: Box[] = []
    for (const card of cards) {
      const box = { ...card, width: metrics.width }
      if (!boxes.some((other) => touches(grown(other, gap), box))) boxes.push(box)
    }
    return { boxes, edges }
  })

/** An edge from a port of one card to the entry of another, or to its own. */
function endsOf(source: Box, target: Box, out: number): Ends {
  const y = source.y + metrics.header + Math.round(out * (source.height - metrics.header - 16))
  return {
    source,
    target,
    from: { x: source.x + source.width + metrics.handle / 2, y },
    to: { x: target.x - 2, y: target.y + metrics.header / 2 },
  }
}

function lay(boxes: readonly Box[], edges: readonly { a: number; b: number; out: number }[]) {
  const groups = createBoxIndex()
  boxes.forEach((box, at) => {
    groups.set(`${at}`, box)
  })
  const ends = new Map<string, Ends>()
  edges.forEach(({ a, b, out }, at) => {
    const [source, target] = [boxes[a % boxes.length], boxes[b % boxes.length]]
    if (source && target) ends.set(`e${at}`, endsOf(source, target, out))
  })
  const routes = createRoutes(
    groups,
    (id) => boxes[Number(id)],
    (id) => ends.get(id) ?? null,
    () => undefined,
  )
  return { ends, routes, found: [...ends.keys()].map((id) => routes.of(id) as Route) }
}

const pieces = (route: Route): [Point, Point][] =>
  route.slice(1).map((point, at): [Point, Point] => [route[at] as Point, point])

/** Whether a line crosses a card; touching its side does not count. */
const goesOver = (route: Route, box: Box): boolean =>
  pieces(route).some((ends) => touches(routeBox(ends), grown(box, -1)))

test('no edge goes over a card, its own two neither, in whatever layout', () => {
  fc.assert(
    fc.property(layouts, ({ boxes, edges }) => {
      for (const route of lay(boxes, edges).found)
        for (const box of boxes) expect(goesOver(route, box), JSON.stringify({ route, box })).toBe(false)
    }),
    { seed: 20261123, numRuns: 300 },
  )
})

test('a line is level and upright by turns, leaves its port to the right and comes in from the left', () => {
  fc.assert(
    fc.property(layouts, ({ boxes, edges }) => {
      const { ends, found } = lay(boxes, edges)
      found.forEach((route, at) => {
        const { from, to } = ends.get(`e${at}`) as Ends
        expect([route[0], route.at(-1)]).toEqual([from, to])
        pieces(route).forEach(([a, b], n) => {
          expect(n % 2 ? a.x === b.x : a.y === b.y).toBe(true)
          expect(a).not.toEqual(b)
        })
        expect((route[1] as Point).x).toBeGreaterThan(from.x)
        expect((route.at(-2) as Point).x).toBeLessThan(to.x)
      })
    }),
    { seed: 20261123, numRuns: 300 },
  )
})

test('no two lines run on top of each other where there is room beside', () => {
  // four cards in a column lead to four others in reverse order: all vertical pieces share one gap
  const boxes = [0, 1, 2, 3].flatMap((n) => [0, 480].map((x) => ({ x, y: n * 200, width: 264, height: 160 })))
  const edges = [0, 1, 2, 3].map((n) => ({ a: n * 2, b: (3 - n) * 2 + 1, out: 0.5 }))
  const upright = lay(boxes, edges).found.flatMap((route) => pieces(route).filter(([a, b]) => a.x === b.x))
  expect(upright).toHaveLength(4)
  const places = upright.map(([{ x }]) => x).sort((a, b) => a - b)
  for (let at = 1; at < places.length; at++)
    expect((places[at] as number) - (places[at - 1] as number)).toBeGreaterThanOrEqual(9)
})

test('lines from one card to others below each other do not cross', () => {
  const boxes = [
    { x: 0, y: 400, width: 264, height: 200 },
    ...[0, 1, 2, 3, 4].map((n) => ({ x: 440, y: n * 240, width: 264, height: 160 })),
  ]
  const edges = [0, 1, 2, 3, 4].map((n) => ({ a: 0, b: n + 1, out: n / 4 }))
  const { found } = lay(boxes, edges)
  const level = found.flatMap((route) => pieces(route).filter(([a, b]) => a.y === b.y && a.x !== b.x))
  const upright = found.flatMap((route) => pieces(route).filter(([a, b]) => a.x === b.x))
  const crossings = level.flatMap(([a, b]) =>
    upright.filter(
      ([c, d]) =>
        Math.min(a.x, b.x) < c.x - 1 &&
        c.x + 1 < Math.max(a.x, b.x) &&
        Math.min(c.y, d.y) + 1 < a.y &&
        a.y < Math.max(c.y, d.y) - 1,
    ),
  )
  expect(crossings).toEqual([])
})

test('an edge that leads back goes around both its cards', () => {
  const source = { x: 500, y: 0, width: 264, height: 200 }
  const target = { x: 0, y: 20, width: 264, height: 200 }
  const route = routeEdge(endsOf(source, target, 0.5), { boxes: () => [source, target], routes: () => [] })
  expect(goesOver(route, source) || goesOver(route, target)).toBe(false)
  expect(route.length).toBe(6)
})

test('a line is found once, and again only when something comes or goes near it', () => {
  const boxes = [0, 1, 2, 3].map((n) => ({ x: n * 500, y: 0, width: 264, height: 200 }))
  const { routes } = lay(boxes, [
    { a: 0, b: 1, out: 0.5 },
    { a: 2, b: 3, out: 0.5 },
  ])
  const before = ['e0', 'e1'].map(routes.of)
  expect(routes.forgetAt({ x: 1380, y: 60, width: 10, height: 10 })).toEqual(['e1'])
  expect(routes.of('e0')).toBe(before[0])
  expect(routes.known('e1')).toBeUndefined()
  expect(routes.of('e1')).toEqual(before[1])
})

test('the path has round corners where its sides allow, and its middle lies on the line', () => {
  const route = [
    { x: 0, y: 0 },
    { x: 50, y: 0 },
    { x: 50, y: 6 },
    { x: 200, y: 6 },
  ]
  expect(pathOf(route)).toBe('M0,0L47,0Q50,0 50,3L50,3Q50,6 53,6L200,6')
  expect(middleOf(route)).toEqual({ x: 97, y: 6 })
})
