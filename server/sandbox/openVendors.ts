import { html } from './pages/html'
import { page } from './pages/page'
import type { Route } from './routes'
import { type StandIn, startStandIn } from './standIn'
import type { SandboxVendor } from './vendors'

/** Of the page of all vendors; each vendor has one of those that follow, or any that is free where one is not. */
export const FIRST_PORT = 4_780

interface Options {
  clock: () => Date
  /** where Parley is reached on this machine; null: not known before it starts */
  server: string | null
  /** variables that the server reads: a vendor whose variables it does not read can't be connected yet */
  known: ReadonlySet<string>
  /** 0: any that are free */
  firstPort: number
}

/**
 * Starts stand-ins of some vendors on loopback, and a page that leads to them.
 * @returns that page's address, and the variables by which a server talks to them
 */
export async function openVendors(
  some: readonly SandboxVendor[],
  { clock, server, known, firstPort }: Options,
): Promise<{ url: string; env: Record<string, string>; close(): Promise<void> }> {
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
    const env: Record<string, string> = {}
    for (const [at, { name, shows, variables, start }] of some.entries()) {
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
      Object.assign(env, started.env)
      const canConnect = variables.every((variable) => known.has(variable))
      lines.push({ name, shows, origin: started.standIn.origin, canConnect })
    }
    return { url: home.origin, env, close }
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
