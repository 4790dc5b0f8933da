import type { ChatSession } from '../conversation'
import type { FromFrame, SignedUser, ToFrame } from '../embed/protocol'
import { createHeldStore, type HeldStore } from '../heldStore'
import { type HttpTransport, type Kept, keptIn, type Ticket, ticketOf } from '../httpTransport'
import { createRenewal, spread } from '../renewal'
import { attach } from './attach'
import type { Surroundings } from './surroundings'

/** A chat in a frame of a page: what it takes from there, and how it is connected to it once it is drawn. */
export interface Framed {
  browser: Kept
  visit: Kept
  surroundings: Surroundings
  /** the conversation of the mail whose link led to the page */
  ticket: Ticket | null
  /** closes the chat, and how the button is called; null where nothing closes it */
  close: { label: string; run: () => void } | null
  /** @param refresh draws the chat as it is set now */
  attach(session: ChatSession, transport: Pick<HttpTransport, 'setVariables' | 'consent'>, refresh: () => void): void
}

/** Messages of a page that wait for the chat. A page says a few; one with a loop would fill the visitor's memory. */
const MOST_EARLY = 200

/** A token is good for an hour. */
const TOKEN_AGE_MS = 50 * 60_000

/** Waits for the page's message how to start. A frame without a launcher (marked by `#parley`) starts by itself. */
export async function joinPage(chatbot: string): Promise<Framed> {
  if (parent === window || location.hash !== '#parley') return alone(chatbot)
  let origin = '*'
  const post = (message: FromFrame) => parent.postMessage(message, origin)
  const lasting = storageOf(() => localStorage)
  const start = await new Promise<Extract<ToFrame, { parley: 'start' }>>((done) => {
    addEventListener('message', function hear({ source, data, origin: from }: MessageEvent<ToFrame>) {
      if (source !== parent || data?.parley !== 'start') return
      removeEventListener('message', hear)
      origin = from
      done(data)
    })
    post({ parley: 'hello', blocked: lasting === null })
  })
  // what the page says from here on waits until the chat is drawn, which one that is closed for its hours never is
  const early: ToFrame[] = []
  let take = (message: ToFrame): void => {
    if (message.parley === 'shown') start.open = message.open
    if (early.length < MOST_EARLY) early.push(message)
  }
  addEventListener('message', ({ source, data }: MessageEvent<ToFrame>) => {
    if (source === parent && data?.parley) take(data)
  })

  addEventListener('keydown', ({ key, target }) => {
    // a question of the chat's own is what Escape closes first
    const inDialog = target instanceof Element && target.closest('[role=alertdialog]')
    if (key === 'Escape' && !inDialog) post({ parley: 'close' })
  })

  const browser = createHeldStore(lasting ?? byPage(start.kept, post), start.consent)
  const visit = createHeldStore(
    keptIn(() => sessionStorage),
    start.consent,
  )
  if (start.fresh) forget(chatbot, browser, visit)
  const page = {
    url: start.url,
    asks: start.byPage,
    user: start.user as SignedUser | null,
    variables: start.variables,
    token: { value: start.token, at: performance.now() },
  }
  let mayStore = start.consent
  const reloading = createReloading(start.open)
  let renewal: ReturnType<typeof createRenewal> | null = null
  let refresh = () => {}
  let renew: ((token: string) => void) | null = null
  let shows: 'open' | 'teaser' | null = null

  const surroundings: Surroundings = {
    url: () => page.url,
    asks: () => page.asks,
    user: () => page.user,
    variables: () => page.variables,
    async token(anew) {
      // the browser's clock may have stood still meanwhile, as that of a laptop that slept
      if (anew || performance.now() - page.token.at > TOKEN_AGE_MS) {
        post({ parley: 'token' })
        page.token = { value: await new Promise((done) => (renew = done)), at: performance.now() }
      }
      return page.token.value
    },
    published({ what }) {
      if (what === 'flow') return renewal?.published()
      refresh()
      // all else that is set comes with the page; what was not stored would be lost by that
      if (mayStore) reloading.soon()
    },
    opened(opened) {
      shows = page.asks && !opened.resumed ? (opened.shows ?? 'open') : null
      page.asks = false
    },
  }

  return {
    browser,
    visit,
    surroundings,
    ticket: ticketOf(start.link),
    close: start.close === null ? null : { label: start.close, run: () => post({ parley: 'close' }) },
    attach(session, transport, redraw) {
      refresh = redraw
      renewal = createRenewal(session)
      let visits = Promise.resolve()
      const attached = attach(session, {
        open: start.open,
        post,
        seen: seenIn(browser, chatbot),
        shows: () => shows,
        as(user) {
          page.user = user
        },
        isKnown: () => page.user !== null,
      })
      take = (data) => {
        if (data.parley === 'shown') {
          attached.shown(data.open)
          reloading.shown(data.open)
          renewal?.look()
        } else if (data.parley === 'send') attached.send(data.text)
        else if (data.parley === 'user') void attached.user(data.user)
        else if (data.parley === 'token') renew?.(data.token)
        else if (data.parley === 'consent') {
          mayStore = data.given
          browser.consent(data.given)
          visit.consent(data.given)
          void transport.consent(data.given, '', data.analytics)
        } else if (data.parley === 'variables') {
          page.variables = { ...page.variables, ...data.variables }
          void transport.setVariables(data.variables)
        } else if (data.parley === 'page') {
          // one after the other, and after the first opening: the last address decides
          visits = visits.then(async () => {
            await isOpened(session)
            page.url = data.url
            page.asks = true
            return attached.visit()
          })
        }
      }
      if (start.agreed || !start.analytics) void transport.consent(start.agreed, '', start.analytics)
      for (const message of early) take(message)
    },
  }
}

/** Waits for what opens at the moment: two that open at once would take each other's answers. */
function isOpened(session: ChatSession): Promise<void> {
  if (session.state().phase !== 'loading') return Promise.resolve()
  return new Promise((done) => {
    const stop = session.subscribe(() => {
      if (session.state().phase === 'loading') return
      stop()
      done()
    })
  })
}

/** Loads the chat anew once nobody looks at it: what it shows is of before. */
function createReloading(isOpen: boolean) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOld = false
  const look = () => {
    clearTimeout(timer)
    if (isOld && !isOpen) timer = setTimeout(() => location.reload(), spread())
  }
  return {
    soon() {
      isOld = true
      look()
    },
    shown(open: boolean) {
      isOpen = open
      look()
    },
  }
}

/** Which message was the last that the visitor has seen. */
const seenIn = (browser: HeldStore, chatbot: string) => ({
  read: () => Number(browser.getItem(`parley:seen:${chatbot}`) ?? -1),
  write: (seq: number) => browser.setItem(`parley:seen:${chatbot}`, String(seq)),
})

function forget(chatbot: string, ...stores: Kept[]): void {
  for (const store of stores)
    for (const key of [
      'parley:visitor',
      'parley:visit',
      `parley:${chatbot}`,
      `parley:seen:${chatbot}`,
      `parley:outbox:${chatbot}`,
    ])
      store.removeItem(key)
}

/** A browser's storage; null where it keeps frames of other sites from it. */
function storageOf(open: () => Storage): Storage | null {
  try {
    const storage = open()
    storage.setItem('parley:try', '1')
    storage.removeItem('parley:try')
    return storage
  } catch {
    return null
  }
}

/** The page's own storage, by the page. */
function byPage(kept: Readonly<Record<string, string>>, post: (message: FromFrame) => void): Kept {
  const values = new Map(Object.entries(kept))
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem(key, value) {
      values.set(key, value)
      post({ parley: 'keep', key, value })
    },
    removeItem(key) {
      values.delete(key)
      post({ parley: 'keep', key, value: null })
    },
  }
}

/** The chat as a page of its own, or in a frame that somebody has made by hand. */
function alone(chatbot: string): Framed {
  return {
    browser: keptIn(() => localStorage),
    visit: keptIn(() => sessionStorage),
    ticket: null,
    close: null,
    attach: () => {},
    surroundings: {
      url: () => location.href,
      asks: () => false,
      user: () => null,
      variables: () => ({}),
      opened: () => {},
      published: () => {},
      async token() {
        const response = await fetch(`/api/embed/${chatbot.slice(1)}`).catch(() => null)
        const answer = (await response?.json().catch(() => null)) as { data?: { token?: string } } | null
        return answer?.data?.token
      },
    },
  }
}
