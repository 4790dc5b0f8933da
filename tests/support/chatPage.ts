import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from '../../server/cli/sources.mjs'

export interface ChatPage {
  /** what a server serves as its interface: the shared chat page alone */
  folder: string
  remove: () => Promise<void>
}

/** Builds the visitor's page by itself, which takes a second: for tests that need no other screen. */
export async function buildChatPage(): Promise<ChatPage> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-chat-'))
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
  await writeFile(join(folder, 'index.html'), '')
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
