import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, bench } from 'vitest'
import { bundleForNode } from '../support/bundle'

let bundle: Awaited<ReturnType<typeof bundleForNode>>
beforeAll(async () => {
  bundle = await bundleForNode('tests/bench/ownCheck.ts')
}, 60_000)
afterAll(() => bundle.remove())

bench(
  'checks of a flow, the first and after edits',
  async () => {
    const { measureChecks }: typeof import('./ownCheck') = await import(pathToFileURL(bundle.entry).href)
    measureChecks()
  },
  { iterations: 1, warmupIterations: 0, time: 0, warmupTime: 0 },
)
