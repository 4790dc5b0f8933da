import { StartError } from '../platform/database/startError'
import { html } from './pages/html'
import { page } from './pages/page'
import type { Route } from './routes'
import { type StandIn, startStandIn } from './standIn'
import { sandboxVendors } from './vendors'

type Env = Record<string, string | undefined>

export interface Sandbox {
  /** the page of all vendors */
  url: string
  /** the environment in which the server talks to the stand-ins, and keeps its data apart */
  env: Env
  close(): Promise<void>
}

/** Of the page of all vendors; each vendor has one of those that follow, or any that is free where one is not. */
const FIRST_PORT = 4_780
/** What other installations share, which a sandbox must not reach. */
const SHARED = ['DATABASE_URL', 'REDIS_URL']

/**
 * Starts the stand-ins of all vendors on loopback.
 * @param firstPort 0: any that are free
 * @param known variables that the server reads: a vendor whose variables it does not read can't be connected yet
 * @throws StartError beside a real client or key of a vendor, and beside a database or Redis that others may share
 */
export async function openSandbox(
  env: Env,
  clock: () => Date,
  known: ReadonlySet<string>,
  firstPort = FIRST_PORT,
): Promise<Sandbox> {
  const real = sandboxVendors.flatMap(({ variables }) => variables).filter((name) => env[name])
  if (real.length > 0)
    throw new StartError(
      `--sandbox never runs beside a real vendor, and ${real.join(', ')} ${real.length > 1 ? 'are' : 'is'} set: unset ${real.length > 1 ? 'them' : 'it'}, or start without --sandbox`,
    )
  const shared = SHARED.find((name) => env[name])
  if (shared)
    throw new StartError(`--sandbox keeps its data apart, and ${shared} is set: unset it, or start without --sandbox`)

  const opened: StandIn[] = []
  const close = async () => {
    await Promise.all(opened.map((standIn) => standIn.close()))
  }
  try {
    const lines: { name: string; shows: string; origin: string; canConnect: boolean }[] = []
    const home = await startAt(firstPort, (port) =>
      startStandIn({ name: 'Parley', routes: [homeRoute(() => lines)], refuse: notHere }, { clock, port }),
    )
    opened.push(home)
    const vendors: Env = {}
    const serverPort = env.PORT || '3000'
    const server = serverPort === '0' ? null : `http://127.0.0.1:${serverPort}`
    for (const [at, { name, shows, variables, start }] of sandboxVendors.entries()) {
      const options = {
        clock,
        seed: Math.floor(Math.random() * 1_000_000),
        home: home.origin,
        domain: 'sandbox.example',
      }
      const started = await startAt(
        FIRST_PORT + at + 1,
        (port): ReturnType<typeof start> => start({ ...options, port }, server),
      )
      opened.push(started.standIn)
      Object.assign(vendors, started.env)
      const canConnect = variables.every((variable) => known.has(variable))
      lines.push({ name, shows, origin: started.standIn.origin, canConnect })
    }
    return { url: home.origin, env: { ...env, ...vendors, DATA_DIR: `${env.DATA_DIR || 'data'}-sandbox` }, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts something at a port, or at any that is free where it is taken. */
async function startAt<T>(port: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(port)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return start(0)
  }
}

const homeRoute = (
  lines: () => readonly { name: string; shows: string; origin: string; canConnect: boolean }[],
): Route => ({
  method: 'GET',
  path: '/',
  ours: true,
  handle: () =>
    page({
      vendor: 'Parley',
      title: 'Sandbox',
      notice: html`<strong>This is a sandbox.</strong> No vendor is called, and no mail is sent. What the vendors hold is kept in memory and gone when Parley stops; connect again then.`,
      content: html`<p>In Parley, open Integrations and connect a vendor. You are asked for consent by its stand-in. Here you see what
chatbots did there, change it, and let something go wrong.</p>
${lines().map(
  ({ name, shows, origin, canConnect }) =>
    html`<section class="card"><h2><a href="${origin}/sandbox">${name}</a></h2><p>It shows ${shows}.</p>${
      !canConnect &&
      html`<p class="soft">Parley has no connection to ${name} yet. Its calls are answered at ${origin}, for instance for an HTTP request.</p>`
    }</section>`,
)}`,
    }),
})

const notHere: Parameters<typeof startStandIn>[0]['refuse'] = () =>
  page(
    {
      vendor: 'Parley',
      title: 'Not found',
      content: html`<p>There is nothing at this address. <a href="/">All vendors</a></p>`,
    },
    404,
  )
