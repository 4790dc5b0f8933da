import type { EmbedConfig } from '../../../server/contracts/embed'
import type { ParleyApi, ParleyEvents } from './api'
import { ask } from './ask'
import { isHiddenOn } from './hiddenOn'
import { createPageStore, type PageStore } from './kept'
import { watchAddress } from './pageWatch'
import type { FromFrame, SignedUser, ToFrame, Variables } from './protocol'
import { complain } from './say'

/** So long a page goes by what it was told of triggers: another version of the flow may have some. */
const FRESH_MS = 5 * 60_000

const pageOf = () => location.href.split('#', 1)[0]

/** So long a conversation may begin with the token of the page; less than it is good for. */
const TOKEN_AGE_MS = 50 * 60_000

/** A mail's link to the page names a conversation in its fragment, which goes from the address at once. */
function takeLink(): string {
  const { hash, pathname, search } = location
  if (!/^#parley=[\w.-]+$/.test(hash)) return ''
  history.replaceState(history.state, '', pathname + search)
  return hash
}

/** So long a frame that is loaded may be silent. */
const SILENCE_MS = 15_000

/** How a chat stands in a page: as a bubble beside it, or in an element of it. */
export interface ChatShell {
  /** shows or hides the frame */
  show(open: boolean): void
  /** messages that nobody has seen yet, and the first of them: to stand beside the closed chat */
  unread(count: number, text: string): void
  /** the page must not show it here */
  hide(hidden: boolean): void
  remove(): void
}

export interface EmbeddedChat {
  api: ParleyApi
  store: PageStore
  /** empty until the chat is needed */
  frame: HTMLIFrameElement
}

/**
 * One chatbot on a page that is allowed to show it. The chat itself, in a frame of the server's origin, is loaded when
 * it is first opened, or when a trigger starts a conversation on this page.
 * @param first the settings that the server has sent
 */
export function createChat(
  origin: string,
  chatbot: string,
  first: EmbedConfig,
  draw: (chat: EmbeddedChat) => ChatShell,
): EmbeddedChat {
  const listeners: { [Name in keyof ParleyEvents]?: Set<(detail: never) => void> } = {}
  const frame = document.createElement('iframe')
  let config = first
  let [askedAt, visited] = [performance.now(), pageOf()]
  let [isOpen, isReady, isGone, byPage] = [false, false, false, false]
  let [agreed, analytics, fresh] = [false, true, false]
  let link = takeLink()
  let silence: ReturnType<typeof setTimeout> | undefined
  /** set while nothing comes of a frame that was loaded; what it would show again once it does */
  let silent: { open: boolean } | null = null
  // on a slow network the frame speaks before its load event, which waits for its fonts
  let [hasSpoken, listens] = [false, false]
  let user: SignedUser | null = null
  let variables: Variables = {}
  let hasVariables = false
  let waiting: string[] = []
  let answerUser: ((problem: string | null) => void) | null = null

  const mayStore = () => !config.settings.consent || agreed
  const store = createPageStore(chatbot, mayStore)

  function tell<Name extends keyof ParleyEvents>(event: Name, detail: ParleyEvents[Name]): void {
    listeners[event]?.forEach((listener) => {
      ;(listener as (detail: ParleyEvents[Name]) => void)(detail)
    })
    if (config.settings.data_layer) {
      window.dataLayer ??= []
      window.dataLayer.push({ event: `parley_${event}`, chatbot, ...detail })
    }
  }

  /** What is said before the frame listens is part of how it starts. */
  const post = (message: ToFrame) => listens && frame.contentWindow?.postMessage(message, origin)

  /** A trigger for this page, or a conversation that goes on: the chat comes, without being opened. */
  function consider({ begins }: EmbedConfig): void {
    byPage ||= begins !== null
    if (byPage || store.get('talked') === '1') load()
  }

  /** The page's address is another one. */
  async function visit(): Promise<void> {
    const before = visited
    visited = pageOf()
    // triggers go by the page, and not by a place in it
    if (look() || visited === before) return
    if (listens) return void post({ parley: 'page', url: location.href })
    if (!config.watches && performance.now() - askedAt < FRESH_MS) return
    askedAt = performance.now()
    const answer = await ask(origin, chatbot)
    if (!answer || isGone || listens) return
    config = answer
    consider(answer)
  }

  function look(): boolean {
    const hidden = silent !== null || isHiddenOn(location.href, config.settings.hide_urls)
    shell.hide(hidden)
    return hidden
  }

  function load(): void {
    if (frame.src || isGone) return
    addEventListener('message', hear)
    // what stands there before it has said something is the browser's, such as a page about what it blocks
    frame.style.opacity = '0'
    frame.src = `${origin}/embed/@${chatbot}${begins() ? beginning() : ''}#parley`
  }

  /**
   * A visitor of whom nothing is known presses the launcher: the frame's page comes with the conversation. Who is
   * known, or what was set, is no part of an address: then the frame asks.
   */
  const begins = () =>
    isOpen &&
    !fresh &&
    !byPage &&
    !link &&
    !user &&
    !hasVariables &&
    !store.isKnown() &&
    performance.now() - askedAt < TOKEN_AGE_MS
  const beginning = () => {
    const close = frame.dataset.closes === undefined ? '' : config.words.close
    return `?begin=${encodeURIComponent(config.token)}&url=${encodeURIComponent(location.href.slice(0, 2_000))}&close=${encodeURIComponent(close)}`
  }

  function hear({ source, origin: from, data }: MessageEvent<FromFrame>): void {
    if (source !== frame.contentWindow || from !== origin || !data?.parley) return
    if (data.parley === 'drawn') {
      frame.style.opacity = ''
    } else if (data.parley === 'hello') {
      listens = true
      hasSpoken = silence === undefined
      clearTimeout(silence)
      silence = undefined
      frame.style.opacity = ''
      const was = silent
      silent = null
      if (was && !look() && was.open) api.open()
      post({
        parley: 'start',
        url: location.href,
        token: config.token,
        consent: mayStore(),
        agreed: config.settings.consent && agreed,
        analytics,
        fresh,
        kept: data.blocked ? store.ofFrame() : {},
        open: isOpen,
        byPage,
        link,
        close: frame.dataset.closes === undefined ? null : config.words.close,
        user,
        variables,
      })
      fresh = false
      link = ''
    } else if (data.parley === 'ready') {
      isReady = true
      store.setTalked(true)
      if (data.shows === 'open' && byPage) api.open()
      for (let n = 0; n < waiting.length; n++) post({ parley: 'send', text: waiting[n] as string })
      waiting = []
    } else if (data.parley === 'message') {
      tell('message', { from: data.from, text: data.text })
    } else if (data.parley === 'unread') {
      shell.unread(data.count, data.text)
      tell('unread', { count: data.count })
    } else if (data.parley === 'user') {
      answerUser?.(data.problem)
      answerUser = null
    } else if (data.parley === 'keep') {
      store.set(`frame:${data.key}`, data.value)
    } else if (data.parley === 'token') {
      void ask(origin, chatbot).then((answer) => answer && post({ parley: 'token', token: answer.token }))
    } else if (data.parley === 'close') {
      api.close()
    }
  }

  const show = (open: boolean) => {
    if (open === isOpen || isGone) return
    isOpen = open
    if (open) load()
    shell.show(open)
    store.setTab('open', open ? '1' : null)
    post({ parley: 'shown', open })
    tell(open ? 'open' : 'close', undefined)
  }

  const api: ParleyApi = {
    chatbot,
    open: () => show(true),
    close: () => show(false),
    toggle: () => show(!isOpen),
    send(text) {
      if (isReady) post({ parley: 'send', text })
      else waiting = [...waiting, text]
      show(true)
    },
    setUser(next) {
      user = next
      return new Promise((done, fail) => {
        const answer = (problem: string | null) => {
          if (problem === null) return done()
          user = null
          complain(problem)
          fail(new Error(problem))
        }
        // nobody is asked before there is a chat: its first conversation is refused then, and begins without an id
        if (!isReady) return done()
        answerUser = answer
        post({ parley: 'user', user: next })
      })
    },
    setVariables(values) {
      variables = { ...variables, ...values }
      hasVariables = true
      post({ parley: 'variables', variables: values })
    },
    consent(given, more) {
      agreed = given
      analytics = more?.analytics !== false
      store.set('consent', given ? '1' : null)
      // a refusal alone is not kept: the page says it again
      store.set('analytics', given && !analytics ? '0' : null)
      if (!given) store.setTalked(false)
      else if (isReady) store.setTalked(true)
      post({ parley: 'consent', given, analytics })
    },
    on(event, listener) {
      const all = (listeners[event] ?? new Set()) as Set<typeof listener>
      listeners[event] = all as never
      all.add(listener)
      // who asks late is told of what was
      if (event === 'ready') listener(undefined as never)
      return () => all.delete(listener)
    },
    reset() {
      user = null
      variables = {}
      hasVariables = false
      fresh = true
      isReady = false
      store.set('talked', null)
      shell.unread(0, '')
      if (!frame.src) return
      // out of the page and into it again, it is as it was before it was loaded
      const place = frame.parentNode
      listens = false
      place?.removeChild(frame)
      frame.removeAttribute('src')
      place?.appendChild(frame)
      if (isOpen) load()
    },
    destroy() {
      if (isGone) return
      isGone = true
      stopWatching()
      removeEventListener('message', hear)
      shell.remove()
      tell('destroy', undefined)
    },
  }
  frame.addEventListener('load', () => {
    clearTimeout(silence)
    silence = undefined
    const speaks = hasSpoken
    hasSpoken = false
    if (!frame.src || speaks) return
    silence = setTimeout(() => {
      silence = undefined
      if (isGone) return
      silent = { open: isOpen }
      complain(
        `the chat does not come from ${origin}. Something on this device may keep it out, such as a content blocker.`,
      )
      look()
    }, SILENCE_MS)
  })
  const chat: EmbeddedChat = { api, store, frame }
  const shell = draw(chat)
  const stopWatching = watchAddress(() => void visit())
  agreed = store.get('consent') === '1'
  analytics = store.get('analytics') !== '0'
  const isHidden = look()
  tell('ready', undefined)
  if (!isHidden && (link || store.tab('open') === '1')) api.open()
  else if (!isHidden) consider(config)
  return chat
}
