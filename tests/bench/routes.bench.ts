import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, bench } from 'vitest'
import { bundleForNode } from '../support/bundle'

let bundle: Awaited<ReturnType<typeof bundleForNode>>
beforeAll(async () => {
  bundle = await bundleForNode('tests/bench/ownRoutes.ts')
}, 60_000)
afterAll(() => bundle.remove())

bench(
  'lines of edges, all of a flow and those of a frame of a drag',
  async () => {
    const { measureRoutes }: typeof import('./ownRoutes') = await import(pathToFileURL(bundle.entry).href)
    measureRoutes()
  },
  { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 },
)
