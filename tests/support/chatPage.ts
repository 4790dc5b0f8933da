import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { buildEmbed } from '../../server/cli/embedBuild.mjs'
import { buildFirstView } from '../../server/cli/firstViewBuild.mjs'
import { root } from '../../server/cli/sources.mjs'

export interface ChatPage {
  /** what a server serves as its interface: the chat page, and what pages of other sites load */
  folder: string
  remove: () => Promise<void>
}

/** Builds only the visitor's page, which takes a second: for tests without other screens. */
export async function buildChatPage(): Promise<ChatPage> {
  const made = await mkdtemp(join(tmpdir(), 'parley-chat-'))
  const folder = join(made, 'client')
  await build({
    configFile: false,
    root: join(root, 'src'),
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      rollupOptions: { input: { chat: join(root, 'src/widget/chat.html') } },
    },
  })
  await buildEmbed(folder)
  await buildFirstView(join(made, 'firstView'))
  await writeFile(join(folder, 'index.html'), '')
  return { folder, remove: () => rm(made, { recursive: true, force: true }) }
}
