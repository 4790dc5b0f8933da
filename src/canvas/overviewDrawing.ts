import { touches } from './boxIndex'
import type { Selection } from './canvasStore'
import { type Box, metrics, type Point } from './geometry'
import type { Mark } from './marks'
import type { PlacedEdge, PlacedGroup, Scene } from './placed'
import { middleOf, roundness } from './routing/line'
import type { Route } from './routing/route'
import { plainRoute } from './routing/routeEdge'
import { endsOf } from './scene'

/** The interface state that the overview shows. */
export interface OverviewLook {
  selection: Selection
  moving: ReadonlyMap<string, Point>
  visited: ReadonlySet<string>
  /** the group in which a test waits */
  active: string | undefined
  hoveredEdge: string | null
  groupMarks: (placed: PlacedGroup) => readonly Mark[]
  edgeMarks: (edgeId: string) => readonly Mark[]
  categoryOf: (kind: string) => string
}

export type Palette = (token: string) => string

/** The groups and edges of a picture: all but the moving ones, or only those. */
export type Layer = 'still' | 'moving'

/**
 * Draws an area of the flow in overview style. Anything smaller than a pixel or two is omitted, so that 10,000 groups
 * are drawn in some dozens of milliseconds.
 *
 * @param context its origin is the area's corner; a pixel is `1 / zoom` of the flow
 * @returns false if routes are still missing, so that it should be drawn again
 */
export function drawOverview(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { area, zoom, layer }: { area: Box; zoom: number; layer: Layer },
  look: OverviewLook,
  palette: Palette,
): boolean {
  const { moving } = look
  const boxOf = (id: string): Box | undefined => {
    const box = scene.groups.get(id)?.box
    const moved = moving.get(id)
    return box && moved ? { ...box, ...moved } : box
  }
  const moves = (edge: PlacedEdge) => moving.has(edge.source) || moving.has(edge.target)
  const groups =
    layer === 'still'
      ? scene.groupsIn(area).filter((id) => !moving.has(id))
      : [...moving.keys()].filter((id) => touches(boxOf(id) ?? NOWHERE, area))
  const edges = (layer === 'still' ? scene.edgesIn(area) : movingEdges(scene, moving)).flatMap((id) => {
    const edge = scene.edges.get(id)
    return edge && moves(edge) === (layer === 'moving') ? [edge] : []
  })
  context.setTransform(zoom, 0, 0, zoom, -area.x * zoom, -area.y * zoom)
  const done = drawEdges(context, edges, { scene, boxOf, zoom, look, palette })
  drawGroups(context, scene, groups, boxOf, zoom, look, palette)
  return done
}

const NOWHERE: Box = { x: Number.NaN, y: Number.NaN, width: 0, height: 0 }
/** The most routes computed per picture; the others are straight until the next one. */
const ROUTES = 160
/** With more edges, none follow moving groups: they are drawn at the drop. */
const EDGES_IN_MOTION = 800

function movingEdges(scene: Scene, moving: ReadonlyMap<string, Point>): string[] {
  const ids = new Set<string>()
  for (const groupId of moving.keys()) {
    for (const id of scene.edgesOf(groupId)) ids.add(id)
    if (ids.size > EDGES_IN_MOTION) return []
  }
  return [...ids]
}

function drawEdges(
  context: CanvasRenderingContext2D,
  edges: readonly PlacedEdge[],
  { scene, boxOf, zoom, look, palette }: EdgeDrawing,
): boolean {
  const calm = new Path2D()
  const visited = new Path2D()
  const near = new Path2D()
  const straight = zoom < 0.12
  const badges: { at: Point; mark: Mark }[] = []
  let left = ROUTES
  for (const edge of edges) {
    const source = boxOf(edge.source)
    const target = boxOf(edge.target)
    if (!source || !target) continue
    const { from, to } = endsOf(edge, source, target)
    if ((Math.abs(to.x - from.x) + Math.abs(to.y - from.y)) * zoom < 1.5) continue
    const { id } = edge.view
    const moves = look.moving.has(edge.source) || look.moving.has(edge.target)
    let route: Route | null | undefined = straight ? [from, to] : moves ? null : scene.knownRoute(id)
    if (!route && left-- > 0) route = moves ? scene.routeWhile(id, look.moving) : scene.routeOf(id)
    route ??= plainRoute({ from, to })
    const marks = look.edgeMarks(id)
    const heat = marks.find(({ tone }) => tone === 'heat')
    if (heat) {
      const path = new Path2D()
      trace(path, route, zoom)
      context.strokeStyle = palette('--p-orange')
      context.globalAlpha = 0.3 + 0.7 * (heat.strength ?? 0)
      context.lineWidth = (1 + 5 * (heat.strength ?? 0)) / Math.sqrt(zoom)
      context.stroke(path)
      context.globalAlpha = 1
    } else {
      const isNear = look.selection.edges.has(id) || look.hoveredEdge === id
      trace(isNear ? near : look.visited.has(id) ? visited : calm, route, zoom)
    }
    for (const mark of marks) if (mark.tone !== 'heat' || mark.text) badges.push({ at: middleOf(route), mark })
  }
  context.lineWidth = Math.max(1.6, 0.8 / zoom)
  context.strokeStyle = palette('--p-text-faint')
  context.globalAlpha = zoom < 0.08 ? 0.35 : 0.6
  context.stroke(calm)
  context.globalAlpha = 1
  context.strokeStyle = palette('--p-accent')
  context.lineWidth = Math.max(2, 1.6 / zoom)
  context.stroke(visited)
  context.lineWidth = Math.max(2, 2.4 / zoom)
  context.stroke(near)
  if (zoom >= 0.12) for (const { at, mark } of badges) drawBadge(context, at, mark, zoom, palette)
  return left >= 0
}

interface EdgeDrawing {
  scene: Scene
  boxOf: (id: string) => Box | undefined
  zoom: number
  look: OverviewLook
  palette: Palette
}

/** Same line as FlowEdge; corners are rounded where visible. */
function trace(path: Path2D, route: Route, zoom: number): void {
  route.forEach((point, at) => {
    const after = route[at + 1]
    if (at === 0) path.moveTo(point.x, point.y)
    else if (after && zoom > 0.2) path.arcTo(point.x, point.y, after.x, after.y, roundness(route, at))
    else path.lineTo(point.x, point.y)
  })
}

function drawGroups(
  context: CanvasRenderingContext2D,
  scene: Scene,
  ids: readonly string[],
  boxOf: (id: string) => Box | undefined,
  zoom: number,
  look: OverviewLook,
  palette: Palette,
): void {
  const bodies = new Path2D()
  const bars = new Map<string, Path2D>()
  const titles: { box: Box; title: string }[] = []
  const strong: Box[] = []
  const round = zoom > 0.16 && ids.length < 900
  const withBars = zoom > 0.06
  const withTitles = metrics.width * zoom >= 56
  for (const id of ids) {
    const placed = scene.groups.get(id)
    const box = boxOf(id)
    if (!placed || !box) continue
    if (round) bodies.roundRect(box.x, box.y, box.width, box.height, 12)
    else bodies.rect(box.x, box.y, box.width, box.height)
    if (withTitles && placed.group.title) titles.push({ box, title: placed.group.title })
    if (look.selection.groups.has(id) || look.active === id) strong.push(box)
    if (!withBars) continue
    for (const { block, top, height } of placed.layout.blocks) {
      const category = look.selection.blocks.has(block.id) ? 'selected' : look.categoryOf(block.kind)
      const path = bars.get(category) ?? new Path2D()
      bars.set(category, path)
      path.rect(box.x + metrics.padding, box.y + top, metrics.width - 2 * metrics.padding, height)
    }
  }
  context.fillStyle = palette('--p-card')
  context.fill(bodies)
  if (zoom > 0.06) {
    context.lineWidth = 1 / zoom
    context.strokeStyle = palette('--p-border-strong')
    context.globalAlpha = 0.7
    context.stroke(bodies)
  }
  for (const [category, path] of bars) {
    context.globalAlpha = category === 'selected' ? 0.9 : 0.3
    context.fillStyle = palette(category === 'selected' ? '--p-accent' : `--p-cat-${category}`)
    context.fill(path)
  }
  context.globalAlpha = 1
  if (!withBars) {
    context.globalAlpha = 0.22
    context.fillStyle = palette('--p-cat-bubble')
    context.fill(bodies)
    context.globalAlpha = 1
  }
  if (strong.length > 0) {
    const outline = new Path2D()
    for (const { x, y, width, height } of strong) outline.rect(x, y, width, height)
    context.lineWidth = 2.5 / zoom
    context.strokeStyle = palette('--p-accent')
    context.stroke(outline)
    if (zoom <= 0.12) {
      context.globalAlpha = 0.5
      context.fillStyle = palette('--p-accent')
      context.fill(outline)
      context.globalAlpha = 1
    }
  }
  drawTitles(context, titles, zoom, palette)
  for (const id of ids) {
    const placed = scene.groups.get(id)
    const box = boxOf(id)
    if (!placed || !box) continue
    look.groupMarks(placed).forEach((mark, at) => {
      drawBadge(context, { x: box.x + box.width - (at * (BADGE + 3)) / zoom, y: box.y }, mark, zoom, palette)
    })
  }
}

/** Titles at a readable size, cut at the group's end. */
function drawTitles(
  context: CanvasRenderingContext2D,
  titles: readonly { box: Box; title: string }[],
  zoom: number,
  palette: Palette,
): void {
  if (titles.length === 0) return
  const size = Math.max(11, 22 * Math.min(zoom, 0.6)) / zoom
  context.font = `600 ${size}px ${palette('--p-font')}`
  context.textBaseline = 'middle'
  context.fillStyle = palette('--p-text')
  for (const { box, title } of titles) {
    const room = Math.floor((box.width - 16) / (size * 0.56))
    const text = title.length > room ? `${title.slice(0, Math.max(1, room - 1))}…` : title
    const height = Math.max(metrics.header, size * 1.5)
    if (height > metrics.header) {
      context.globalAlpha = 0.85
      context.fillStyle = palette('--p-card')
      context.fillRect(box.x + 4, box.y + 4, box.width - 8, height - 4)
      context.globalAlpha = 1
      context.fillStyle = palette('--p-text')
    }
    context.fillText(text, box.x + 10, box.y + height / 2 + size * 0.06, box.width - 16)
  }
}

/** Diameter on the screen. */
const BADGE = 15

export const toneToken: Record<Mark['tone'], string> = {
  error: '--p-danger',
  warning: '--p-warning',
  info: '--p-cat-bubble',
  added: '--p-success',
  changed: '--p-cat-bubble',
  removed: '--p-danger',
  moved: '--p-cat-input',
  heat: '--p-orange',
  paused: '--p-accent',
  breakpoint: '--p-danger',
}

/** One symbol per tone, to distinguish them without colour. */
export const toneSign: Record<Mark['tone'], string> = {
  error: '!',
  warning: '▲',
  info: 'i',
  added: '+',
  changed: '≠',
  removed: '−',
  moved: '↔',
  heat: '●',
  paused: '‖',
  breakpoint: '●',
}

function drawBadge(context: CanvasRenderingContext2D, at: Point, mark: Mark, zoom: number, palette: Palette): void {
  const size = BADGE / zoom
  const text = mark.text ?? toneSign[mark.tone]
  context.font = `700 ${10 / zoom}px ${palette('--p-font')}`
  const width = Math.max(size, text.length * (6.2 / zoom) + 7 / zoom)
  context.fillStyle = palette(toneToken[mark.tone])
  context.beginPath()
  context.roundRect(at.x - width / 2, at.y - size / 2, width, size, size / 2)
  context.fill()
  context.fillStyle = palette('--p-surface')
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(text, at.x, at.y + 0.5 / zoom)
  context.textAlign = 'start'
}
