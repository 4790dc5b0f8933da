import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebsocketProvider } from 'y-websocket'
import { registry } from '../../blocks/registry'
import { createDocument } from '../../engine/document/createDocument'
import { createLoadedDoc } from '../../server/modules/flows/collab/foldParts'
import { loadDocument } from '../../server/modules/flows/collab/store'
import { type AppProcess, makeDataFolder, startApp } from '../support/appProcess'
import { bundleForNode } from '../support/bundle'
import { flowRow, makeChatbot, socketOf } from '../support/collab'
import { seededRandom } from '../support/documents'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { faultsOf } from './memorySession'
import { editAtRandom } from './randomEdits'

/**
 * Several people edit one flow over real sockets while they lose the connection, and the server is restarted and killed. When all is
 * quiet, everybody has the same, the database too, and it is a valid flow in which nothing has to be put right.
 */
const FULL = process.env.FULL !== undefined
/** of these every session takes the next; in the full run they are 100,000 edits in all */
const sessions = Array.from({ length: FULL ? 40 : 1 }, (_, n) => ({ seed: n + 1, edits: FULL ? 2_500 : 300 }))

let keeper: TestServer
let owner: Registered
let app: AppProcess
let start: (port?: string) => Promise<AppProcess>
const fids = new Map<number, string>()
let cleanUp: () => Promise<void>
beforeAll(async () => {
  keeper = await startTestServer()
  owner = await keeper.register()
  const bundle = await bundleForNode('tests/support/editApp.ts')
  const { folder, remove } = await makeDataFolder()
  cleanUp = async () => {
    await bundle.remove()
    await remove()
  }
  const env = { CONNECTION: JSON.stringify(keeper.connection), DATA_DIR: folder, LOG_LEVEL: 'silent' }
  start = (PORT = '0') => startApp(bundle.entry, { ...env, PORT })
  app = await start()
  // before the edits begin: they keep this process, and the server in it, too busy to answer
  for (const { seed } of sessions) fids.set(seed, (await makeChatbot(owner)).fid)
})
afterAll(async () => {
  await app?.stop()
  await cleanUp?.()
  await keeper?.close()
})

test.each(sessions)(
  'seed $seed: $edits edits leave everybody with one valid flow',
  async ({ seed, edits }) => {
    const random = seededRandom(seed)
    const fid = fids.get(seed) as string
    const flow = await flowRow(keeper, fid)
    const ref = { id: flow.id, projectId: flow.projectId }
    const port = new URL(app.url).port
    const editors = Array.from({ length: 2 + Math.floor(random() * 7) }, (_, person) => {
      const document = createDocument({ registry })
      let last = 0
      const provider = new WebsocketProvider(`${app.url.replace('http', 'ws')}/collab`, fid, document.doc, {
        WebSocketPolyfill: socketOf(owner),
        disableBc: true,
        maxBackoffTime: 200,
      })
      return { document, provider, random, newId: () => `s${seed}p${person}-${++last}` }
    })
    const any = () => editors[Math.floor(random() * editors.length)] as (typeof editors)[number]
    const allSynced = () =>
      vi.waitFor(() => expect(editors.every(({ provider }) => provider.synced)).toBe(true), { timeout: 60_000 })
    const quiet = async () => {
      for (const { provider } of editors) provider.connect()
      await allSynced()
      const stored = await vi.waitFor(
        async () => {
          const doc = createLoadedDoc((await loadDocument(keeper.context.db, ref)).parts)
          const document = createDocument({ doc, registry })
          const flows = [document, ...editors.map((editor) => editor.document)].map((one) =>
            JSON.stringify(one.toFlow()),
          )
          expect(new Set(flows).size).toBe(1)
          // two may have taken one name for a variable: the server has seen to it by now
          expect(faultsOf(document)).toEqual([])
          return document
        },
        { timeout: 60_000, interval: 100 },
      )
      for (const { document } of editors) expect(faultsOf(document)).toEqual([])
      stored.destroy()
    }
    try {
      await allSynced()
      // each blow falls somewhere into its own part of the session
      const blows = ['kill', 'stop', ...(FULL ? ['kill', 'stop', 'kill'] : [])] as const
      const part = Math.floor(edits / (blows.length + 1))
      const falls = new Map(blows.map((blow, i) => [i * part + Math.floor(random() * part), blow]))
      for (let n = 0; n < edits; n++) {
        editAtRandom(any())
        if (random() < 0.03) any().provider.disconnect()
        if (random() < 0.06) any().provider.connect()
        // frames go out and come in between edits, now more, now fewer
        if (random() < 0.4) await new Promise((resolve) => setImmediate(resolve))
        const blow = falls.get(n)
        if (!blow) continue
        if (blow === 'kill') await app.kill()
        else await app.stop()
        app = await start(port)
      }
      await quiet()
    } finally {
      for (const { provider, document } of editors) {
        provider.destroy()
        document.destroy()
      }
    }
  },
  FULL ? 600_000 : 120_000,
)
