import { defineTask } from '../../platform/workers/defineTask'
import type { parseFaqCsv } from './sources/parseFaqCsv'

export const readContent = defineTask('readContent', async () => (await import('./page/readContent')).readContent)
export const readSitemapFile = defineTask(
  'readSitemapFile',
  async () => (await import('./crawl/parseSitemap')).readSitemapFile,
)
export const cutContent = defineTask('cutContent', async () => (await import('./training/cutContent')).cutContent)
export const parseFeed = defineTask('parseFeed', async () => (await import('./feeds/parseFeed')).parseFeed)
export const parseArticles = defineTask(
  'parseArticles',
  async () => (await import('./feeds/readArticle')).parseArticles,
)
export const articleToMarkdown = defineTask(
  'articleToMarkdown',
  async () => (await import('./feeds/articleToMarkdown')).articleToMarkdown,
)
export const parseLocales = defineTask('parseLocales', async () => (await import('./feeds/readArticle')).parseLocales)
export const parseArticle = defineTask('parseArticle', async () => (await import('./feeds/readArticle')).parseArticle)
export const readGitTree = defineTask('readGitTree', async () => (await import('./git/gitFiles')).readGitTree)
export const readGitBlobs = defineTask('readGitBlobs', async () => (await import('./git/gitFiles')).readGitBlobs)
export const readDocument = defineTask(
  'readDocument',
  async () => (await import('./documents/extractDocument')).extractDocument,
)
export const pagePicture = defineTask('pagePicture', async () => (await import('./documents/pagePicture')).pagePicture)
export const readFaqCsv = defineTask<FaqFile, ReturnType<typeof parseFaqCsv>>('readFaqCsv', async () => {
  const { parseFaqCsv } = await import('./sources/parseFaqCsv')
  return ({ csv, present }) => parseFaqCsv(csv, present)
})

interface FaqFile {
  csv: string
  /** existing questions, normalised by `sameQuestion` */
  present: ReadonlySet<string>
}
