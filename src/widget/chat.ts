import { createHttpTransport, keptIn, readChatPage } from './httpTransport'
import { mountChat } from './mount'
import { type ChatTexts, loadTexts } from './texts'
import { ChatFailure } from './transport'
import { showNotice } from './view/Notice'
import './page.css'

/** The shared page, /c/<slug>; at a chatbot's own host it says in its head whose it is. */
const named = document.querySelector<HTMLMetaElement>('meta[name="parley-chatbot"]')?.content
const slug = named ?? decodeURIComponent(location.pathname.split('/')[2] ?? '')
const element = document.getElementById('chat')
if (element) void open(element)

async function open(root: HTMLElement): Promise<void> {
  try {
    const page = await readChatPage(slug)
    document.title = page.name
    const texts = await speak(page.language === 'auto' ? navigator.language : page.language)
    const transport = createHttpTransport(
      slug,
      keptIn(() => localStorage),
      keptIn(() => sessionStorage),
    )
    mountChat(root, { transport, name: page.name, texts, look: page.look })
  } catch (failure) {
    const said = failure instanceof ChatFailure ? failure.said : null
    const gone = failure instanceof ChatFailure && failure.reason === 'gone'
    const texts = await speak(navigator.language)
    document.title = gone ? texts.goneTitle : texts.failedTitle
    showNotice(root, { texts, kind: gone ? 'gone' : 'failed', said, onRetry: () => void open(root) })
  }
}

/** Has the page speak a language. */
async function speak(wanted: string): Promise<ChatTexts> {
  const { language, dir, texts } = await loadTexts(wanted)
  Object.assign(document.documentElement, { lang: language, dir })
  return texts
}
