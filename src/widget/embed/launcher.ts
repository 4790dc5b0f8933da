import type { ParleyQueue, QueuedCall } from './api'
import { ask } from './ask'
import { drawLauncher } from './drawLauncher'
import { isHiddenOn } from './hiddenOn'
import { complain } from './say'

/**
 * Starts what one script tag asks for by the `chatbot` and `kind` of its address. A tag without a chatbot only enables
 * `<parley-chat>`. A page has at most one floating chat, however many tags it has, and any number of chats in its
 * content. This file contains what is needed at once; the rest is loaded when the page is idle, or on demand.
 */
export async function start(origin: string, asked: URLSearchParams): Promise<void> {
  const chatbot = asked.get('chatbot')
  const kind = asked.get('kind')
  if (!chatbot || kind === 'inline') {
    const { defineElement } = await import('./element')
    return defineElement(origin)
  }
  const present = window.Parley
  if (present?.chatbot) {
    complain(
      present.chatbot === chatbot
        ? 'the line is in this page twice; the second one does nothing.'
        : `this page has the chatbot ${present.chatbot} already, ${chatbot} is not shown. <parley-chat> shows several.`,
    )
    return
  }
  const queue = claim(chatbot, present)
  if (kind === 'page') {
    const { fillPage } = await import('./element')
    return fillPage(origin, chatbot)
  }
  const config = await ask(origin, chatbot)
  if (!config) return
  const isPopup = kind === 'popup'
  const launcher = drawLauncher(origin, config, isPopup)
  launcher.button.onclick = () => window.Parley?.push(['toggle'])
  launcher.root.classList.toggle('hidden', isHiddenOn(location.href, config.settings.hide_urls))
  const rest = async () => {
    const { takeOver } = await loading()
    takeOver({ origin, chatbot, config, isPopup, launcher })
  }
  let begun = false
  const once = () => {
    if (!begun) void rest()
    begun = true
  }
  const { push } = queue
  // the rest puts the chat itself in its place
  queue.push = (...calls) => {
    once()
    return push.apply(queue, calls)
  }
  if (queue.length > 0) once()
  else whenIdle(once)
}

/** The module that has the chat's own part. */
const loading = () => import('./takeOver')

/** The page's `Parley` is this chatbot's from now on; calls are kept until it is there. */
function claim(chatbot: string, present: ParleyQueue | undefined): QueuedCall[] & { chatbot?: string } {
  const queue = Array.isArray(present) ? present : []
  window.Parley = Object.assign(queue, { chatbot })
  return queue
}

/** After all that the page has to do itself. */
function whenIdle(run: () => void): void {
  const idle = () =>
    'requestIdleCallback' in window ? requestIdleCallback(run, { timeout: 3_000 }) : setTimeout(run, 200)
  if (document.readyState === 'complete') idle()
  else addEventListener('load', idle, { once: true })
}
