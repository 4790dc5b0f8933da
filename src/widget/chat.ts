import { createHttpTransport, keptIn, readChatPage } from './httpTransport'
import { mountChat } from './mount'
import { chatTexts } from './texts'
import { ChatFailure } from './transport'
import { showNotice } from './view/Notice'
import './page.css'

/** The shared page, /c/<slug>. */
const slug = decodeURIComponent(location.pathname.split('/')[2] ?? '')
const element = document.getElementById('chat')
if (element) void open(element)

async function open(root: HTMLElement): Promise<void> {
  try {
    const page = await readChatPage(slug)
    document.title = page.name
    document.documentElement.lang = page.language
    const transport = createHttpTransport(
      slug,
      keptIn(() => localStorage),
      keptIn(() => sessionStorage),
    )
    mountChat(root, { transport, name: page.name, language: page.language })
  } catch (failure) {
    const gone = failure instanceof ChatFailure && failure.reason === 'gone'
    const texts = chatTexts(navigator.language)
    document.title = gone ? texts.goneTitle : texts.failedTitle
    showNotice(root, texts, gone ? 'gone' : 'failed', () => void open(root))
  }
}
