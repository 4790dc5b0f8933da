import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, bench } from 'vitest'
import { bundleForNode } from '../support/bundle'

let bundle: Awaited<ReturnType<typeof bundleForNode>>
beforeAll(async () => {
  bundle = await bundleForNode('tests/bench/ownFinder.ts')
}, 60_000)
afterAll(() => bundle.remove())

bench(
  'searches of a flow, key by key, beside a scan of its texts',
  async () => {
    const { measureFinder }: typeof import('./ownFinder') = await import(pathToFileURL(bundle.entry).href)
    measureFinder()
  },
  { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 },
)
