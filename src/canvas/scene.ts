import { differing } from '../../engine/check/view'
import type { BlockView, EdgeView, Projection } from '../../engine/document/commands'
import type { FlowDocument } from '../../engine/document/flowDocument'
import type { Registry } from '../../engine/flow/registry'
import type { FaceNames } from '../ui/blockFace'
import { createBoxIndex, grown } from './boxIndex'
import { blocksOf, readingOrder } from './elements'
import {
  type BlockPlace,
  type BlockShape,
  type Box,
  type GroupLayout,
  handleId,
  layoutGroup,
  metrics,
  type Point,
  shapeBlock,
} from './geometry'
import { faceOf } from './kindFaces'
import { interfaceTexts, namesOf, recordNames } from './names'
import type { PlacedEdge, PlacedGroup, Scene } from './placed'
import { shifted } from './routing/line'
import type { Ends } from './routing/route'
import { createRoutes } from './routing/routes'

const scenes = new WeakMap<FlowDocument, Scene>()

/** The present scene of a document. */
export function sceneOf({ document, registry }: { document: FlowDocument; registry: Registry }): Scene {
  let scene = scenes.get(document)
  if (!scene) {
    scene = createScene((block, names) => shapeBlock(block, registry, faceOf(block.kind), names))
    scenes.set(document, scene)
  }
  scene.update(document.projection())
  return scene
}

/** @param shape computes a block's size; must be deterministic for a view and names */
export function createScene(shape: (block: BlockView, names: FaceNames) => BlockShape): Scene {
  const groups = new Map<string, PlacedGroup>()
  /** per group, whether a name that it shows has changed */
  const stale = new Map<string, (now: FaceNames) => boolean>()
  const edges = new Map<string, PlacedEdge>()
  const edgesAt = new Map<string, Set<string>>()
  const groupIndex = createBoxIndex()
  const edgeIndex = createBoxIndex()
  const routes = createRoutes(
    groupIndex,
    (id) => groups.get(id)?.box,
    (id) => placedEnds(id),
    (id, box) => edgeIndex.set(id, grown(box, LINE)),
  )
  let last: Projection | null = null
  let lastTexts: FaceNames['text'] | null = null
  let version = 0
  let bounds: Box | null | undefined
  let order: { ids: readonly string[]; at: ReadonlyMap<string, number> } | undefined

  function placeGroup(id: string, projection: Projection, moved: Set<string>): void {
    const group = projection.groups.get(id)
    const before = groups.get(id)
    if (!group) {
      groups.delete(id)
      stale.delete(id)
      groupIndex.delete(id)
      if (before) makeWay(before.box)
      order = undefined
      bounds = undefined
      moved.add(id)
      return
    }
    const blocks = blocksOf(group, projection)
    const now = namesOf(projection)
    const same = before !== undefined && sameItems(before.blocks, blocks) && !stale.get(id)?.(now)
    if (before?.group === group && same) return
    const layout = same ? before.layout : layOut(id, blocks, now, before?.layout)
    const box = { ...group.position, width: metrics.width, height: layout.height }
    groups.set(id, { group, blocks, layout, box })
    if (!before || before.group.position !== group.position) order = undefined
    if (before && sameBox(before.box, box) && samePorts(before.layout, layout)) return
    groupIndex.set(id, box)
    if (before) makeWay(before.box)
    makeWay(box)
    bounds = undefined
    moved.add(id)
  }

  function layOut(id: string, blocks: readonly BlockView[], now: FaceNames, before?: GroupLayout): GroupLayout {
    const { names, isStale } = recordNames(now)
    stale.set(id, isStale)
    const layout = layoutGroup(blocks, (block) => shape(block, names))
    if (!before) return layout
    // a card that did not move is not rendered again
    const stood = new Map(before.blocks.map((place) => [place.block, place]))
    return {
      ...layout,
      blocks: layout.blocks.map((place) => {
        const known = stood.get(place.block)
        return known && samePlace(known, place) ? known : place
      }),
    }
  }

  /** Groups that show a changed name, or texts of another language. */
  function renamedIn(changed: ReadonlySet<string>, projection: Projection): string[] {
    const titled = (id: string) => last?.groups.get(id)?.title !== projection.groups.get(id)?.title
    const isSaidAlike = lastTexts === interfaceTexts()
    if (isSaidAlike && last?.variables === projection.variables && ![...changed].some(titled)) return []
    const now = namesOf(projection)
    return [...stale].flatMap(([id, isStale]) => (isStale(now) ? id : []))
  }

  /** Drops routes near an added or removed group. */
  function makeWay(box: Box): void {
    if (last) for (const id of routes.forgetAt(box)) indexRoughly(id)
  }

  function indexRoughly(id: string): void {
    const ends = placedEnds(id)
    if (ends) edgeIndex.set(id, reach(ends))
  }

  /** @param moving positions of dragged groups */
  function placedEnds(id: string, moving?: ReadonlyMap<string, Point>): Ends | null {
    const edge = edges.get(id)
    const source = groups.get(edge?.source ?? '')?.box
    const target = groups.get(edge?.target ?? '')?.box
    if (!edge || !source || !target) return null
    const [here, there] = [
      { ...source, ...moving?.get(edge.source) },
      { ...target, ...moving?.get(edge.target) },
    ]
    return { ...endsOf(edge, here, there), source: here, target: there }
  }

  function placeEdge(id: string, projection: Projection): void {
    const before = edges.get(id)
    if (before) for (const groupId of [before.source, before.target]) edgesAt.get(groupId)?.delete(id)
    const edge = edgeOf(projection.edges.get(id), projection, groups)
    const source = edge && groups.get(edge.source)
    const target = edge && groups.get(edge.target)
    if (!edge || !source || !target) {
      edges.delete(id)
      edgeIndex.delete(id)
      routes.forget(id)
      return
    }
    edges.set(id, before && sameEdge(before, edge) ? before : edge)
    for (const groupId of [edge.source, edge.target]) {
      const set = edgesAt.get(groupId)
      if (set) set.add(id)
      else edgesAt.set(groupId, new Set([id]))
    }
    const ends = { ...endsOf(edge, source.box, target.box), source: source.box, target: target.box }
    // an edge with another style between the same points has the same route
    const route = routes.known(id)
    if (route && samePoint(route[0], ends.from) && samePoint(route.at(-1), ends.to)) return
    routes.forget(id)
    edgeIndex.set(id, reach(ends))
  }

  return {
    get version() {
      return version
    },
    groups,
    edges,
    update(projection) {
      if (projection === last && lastTexts === interfaceTexts()) return
      const changedGroups = new Set(last ? differing(last.groups, projection.groups) : projection.groups.keys())
      const changedEdges = new Set(last ? differing(last.edges, projection.edges) : projection.edges.keys())
      for (const id of last ? differing(last.blocks, projection.blocks) : []) {
        for (const block of [last?.blocks.get(id), projection.blocks.get(id)])
          if (block) changedGroups.add(block.groupId)
      }
      for (const id of last ? renamedIn(changedGroups, projection) : []) changedGroups.add(id)
      const moved = new Set<string>()
      for (const id of changedGroups) placeGroup(id, projection, moved)
      for (const id of moved) for (const edgeId of edgesAt.get(id) ?? []) changedEdges.add(edgeId)
      for (const id of changedEdges) placeEdge(id, projection)
      // an edge may have waited for a port that now exists
      for (const id of last ? moved : [])
        for (const handle of groups.get(id)?.layout.handles ?? [])
          if (projection.edges.has(handle) && !edges.has(handle)) placeEdge(handle, projection)
      last = projection
      lastTexts = interfaceTexts()
      version += 1
    },
    groupsIn: (area) => groupIndex.within(area),
    edgesIn: (area) => edgeIndex.within(area),
    routeOf: routes.of,
    knownRoute: routes.known,
    routeWhile(id, moving) {
      const edge = edges.get(id)
      const ends = placedEnds(id, moving)
      if (!edge || !ends) return null
      const by = [edge.source, edge.target].map((groupId) => distance(groups.get(groupId)?.box, moving.get(groupId)))
      const [here, there] = by as [Point, Point]
      const known = routes.of(id)
      if (known && samePoint(here, there)) return here.x || here.y ? shifted(known, here) : known
      const without = new Set<string>()
      for (const groupId of [edge.source, edge.target])
        if (moving.has(groupId)) for (const other of edgesAt.get(groupId) ?? []) without.add(other)
      return routes.at(ends, { boxes: new Set(moving.keys()), routes: without })
    },
    edgesOf: (groupId) => edgesAt.get(groupId) ?? [],
    groupAt: (point) => groupIndex.within({ ...point, width: 0, height: 0 }).at(-1) ?? null,
    bounds() {
      if (bounds === undefined) bounds = around([...groups.values()].map(({ box }) => box))
      return bounds
    },
    order() {
      if (!order && last) {
        const ids = readingOrder(last.groups)
        order = { ids, at: new Map(ids.map((id, at) => [id, at])) }
      }
      return order ?? { ids: [], at: new Map() }
    },
  }
}

/** Both ends of an edge on the canvas. */
export const endsOf = ({ out, into }: PlacedEdge, source: Point, target: Point): { from: Point; to: Point } => ({
  from: { x: source.x + metrics.width + metrics.handle / 2, y: source.y + out },
  to: { x: target.x - 2, y: target.y + into },
})

/** The area that an unknown route may cover: including detours around what is between its ends. */
function reach({ from, to, source, target }: Ends): Box {
  const box = around([source, target, { ...from, width: 0, height: 0 }, { ...to, width: 0, height: 0 }])
  return grown(box ?? source, DETOUR)
}
const DETOUR = 300
/** half the width of a line, with the tip of its arrow */
const LINE = 8

const samePoint = (a: Point | undefined, b: Point): boolean => a?.x === b.x && a.y === b.y

const distance = (from: Point | undefined, to: Point | undefined): Point =>
  from && to ? { x: to.x - from.x, y: to.y - from.y } : { x: 0, y: 0 }

/** The bounding box; null for no boxes. */
export function around(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + width)
    bottom = Math.max(bottom, y + height)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

function edgeOf(
  view: EdgeView | undefined,
  projection: Projection,
  groups: ReadonlyMap<string, PlacedGroup>,
): PlacedEdge | null {
  if (!view) return null
  const source = projection.blocks.get(view.from.blockId)?.groupId
  const placed = groups.get(source ?? '')
  const handle = handleId(view.from.blockId, view.from.portId)
  if (source === undefined || !placed?.layout.handles.has(handle)) return null
  const block = view.to.blockId === undefined ? undefined : projection.blocks.get(view.to.blockId)
  const target = block?.groupId ?? view.to.groupId
  const place = groups.get(target)?.layout.blocks.find(({ block: { id } }) => id === block?.id)
  const port = placed.layout.blocks
    .find(({ block: { id } }) => id === view.from.blockId)
    ?.ports.find(({ id }) => id === view.from.portId)
  return {
    view,
    source,
    target,
    out: port?.y ?? metrics.header / 2,
    into: place ? place.top + metrics.blockY + metrics.port / 2 : metrics.header / 2,
  }
}

const sameItems = <T>(a: readonly T[], b: readonly T[]): boolean =>
  a.length === b.length && a.every((item, i) => item === b[i])

const sameBox = (a: Box, b: Box): boolean => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height

const samePorts = (a: GroupLayout, b: GroupLayout): boolean =>
  a.blocks.length === b.blocks.length &&
  a.blocks.every((place, i) => {
    const other = b.blocks[i]
    return (
      other !== undefined &&
      (place === other ||
        (place.block.id === other.block.id &&
          place.top === other.top &&
          place.ports.length === other.ports.length &&
          place.ports.every(({ id, y }, at) => id === other.ports[at]?.id && y === other.ports[at]?.y)))
    )
  })

const samePlace = (a: BlockPlace, b: BlockPlace): boolean =>
  a.top === b.top &&
  a.height === b.height &&
  a.face === b.face &&
  a.ports.length === b.ports.length &&
  a.ports.every(
    ({ id, y, label, ownRow }, at) =>
      id === b.ports[at]?.id && y === b.ports[at].y && label === b.ports[at].label && ownRow === b.ports[at].ownRow,
  )

const sameEdge = (a: PlacedEdge, b: PlacedEdge): boolean =>
  a.view === b.view && a.source === b.source && a.target === b.target && a.out === b.out && a.into === b.into
