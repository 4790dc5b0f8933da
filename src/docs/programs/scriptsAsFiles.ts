import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteConfig } from 'vitepress'

/** A script in the page itself; those with `src`, and data, are none. */
const INLINE = /<script(?![^>]*\ssrc=)(?![^>]*application\/)([^>]*)>([^<]+)<\/script>/g

/**
 * Moves the scripts that VitePress writes into pages to files of their own: the server's content security policy runs
 * no script that is in a page. Their order stays, so that the colour scheme is there before the first paint.
 */
export function scriptsAsFiles() {
  const files = new Map<string, string>()
  return {
    transformHtml(html: string): string {
      return html.replace(INLINE, (_, attributes: string, code: string) => {
        const name = `page.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`
        files.set(name, code)
        return `<script${attributes} src="/docs/assets/${name}"></script>`
      })
    },
    async buildEnd({ outDir }: Pick<SiteConfig, 'outDir'>): Promise<void> {
      const folder = join(outDir, 'assets')
      await mkdir(folder, { recursive: true })
      await Promise.all([...files].map(([name, code]) => writeFile(join(folder, name), code)))
    },
  }
}
