import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import { shapeBlock } from '../../src/canvas/geometry'
import type { Scene } from '../../src/canvas/placed'
import { createScene } from '../../src/canvas/scene'
import { benchFlow } from './canvas/benchFlow'

/**
 * Issue 13, edges: a frame of a drag takes less than 2 ms at 1,000 groups. Of each group dragged all lines are found anew, as the canvas
 * does while it is dragged, across the whole screen; then of all groups how long the drop takes, with what it puts in the way of others.
 */
const SIZES = [200, 1_000, 3_000]
const FRAMES = 60

function sceneFor(groups: number): { scene: Scene; drop: (id: string, x: number, y: number) => void } {
  const document = createDocument({ registry })
  document.commands.replaceFlow(benchFlow(groups))
  document.undo.destroy()
  const scene = createScene((block, names) => shapeBlock(block, registry, undefined, names))
  scene.update(document.projection())
  const drop = (groupId: string, x: number, y: number) => {
    document.commands.moveGroups([{ groupId, position: { x, y } }])
    scene.update(document.projection())
  }
  return { scene, drop }
}

function print(name: string, took: number[]): void {
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number) => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2)} ms`
  console.info(`${name.padEnd(34)} p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}`)
}

const time = (run: () => void): number => {
  const from = performance.now()
  run()
  return performance.now() - from
}

/** Prints how long the lines of a flow take, all at first and then frame by frame. */
export function measureRoutes(): void {
  for (const size of SIZES) {
    const { scene, drop } = sceneFor(size)
    const ids = [...scene.edges.keys()]
    const all = time(() => {
      for (const id of ids) scene.routeOf(id)
    })
    console.info(`\n${size} groups, ${ids.length} edges: all lines ${all.toFixed(0)} ms`)
    const frames: number[] = []
    const drops: number[] = []
    for (let n = 1; n < 30; n++) {
      const id = `g${Math.floor((n * size) / 30)}`
      const start = scene.groups.get(id)?.box
      if (!start) continue
      const edges = [...scene.edgesOf(id)]
      for (let frame = 0; frame < FRAMES; frame++) {
        const moving = new Map([[id, { x: start.x + frame * 20, y: start.y + frame * 9 }]])
        frames.push(
          time(() => {
            for (const edge of edges) scene.routeWhile(edge, moving)
          }),
        )
      }
      drops.push(
        time(() => {
          drop(id, start.x + 40, start.y + 60)
          for (const edge of ids) scene.routeOf(edge)
        }),
      )
    }
    print('frame of a drag of one group', frames)
    print('drop of it, with the edit', drops)
  }
}
