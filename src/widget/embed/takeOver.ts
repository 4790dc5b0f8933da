import type { EmbedConfig } from '../../../server/contracts/embed'
import { createBubble } from './bubble'
import { createChat } from './chat'
import type { Launcher } from './drawLauncher'
import { publish } from './publish'

interface Drawn {
  origin: string
  chatbot: string
  config: EmbedConfig
  isPopup: boolean
  launcher: Launcher
}

/** Gives the launcher that is there its chat, and the page its `Parley`. */
export function takeOver({ origin, chatbot, config, isPopup, launcher }: Drawn): void {
  const chat = createChat(origin, chatbot, config, (made) => createBubble(made, config, launcher, isPopup))
  publish(chat.api)
}
