import { runTask } from '../../../platform/workers/runTask'
import { VendorError } from '../../integrations/calls/vendorError'
import type { Accounts } from '../../integrations/connections/accounts'
import { describeArticles, listArticles, readArticles } from '../../integrations/salesforce/articles'
import { salesforce } from '../../integrations/salesforce/vendor'
import { articleToMarkdown } from '../tasks'
import type { LinkedPage } from '../training/addLinks'
import type { ArticleText } from './articleToMarkdown'
import type { ReadFeed } from './feedRead'

/** Characters of texts taken at one reading; the rest comes with the next ones. */
const MOST_CHARACTERS = 50_000_000

/**
 * Lists the articles of Salesforce Knowledge that are published and visible in the public knowledge base, and brings
 * the texts of those that are new or were edited. Of a text only the fields are read that a person has chosen: others
 * may be for the team.
 */
export function createSalesforceReader({ open }: Pick<Accounts, 'open'>): ReadFeed {
  return async ({ url, most, options }, query, { marks, isLeftOut, onFound }) => {
    const { connection = '', language = '', fields = [], site = '' } = options
    const origin = new URL(url).origin
    const identityOf = (articleId: string) => `${origin}/${articleId}?language=${language}`
    const known = [...marks.keys()].flatMap((identity) => /\/(\w{15})\?/.exec(identity)?.[1] ?? [])
    try {
      const { call } = await open(salesforce, query.owner ?? '', connection, query.signal)
      const described = await describeArticles(call)
      const chosen = fields.flatMap((name) => described.fields.find((field) => field.name === name) ?? [])
      const missing = fields.find((name) => !chosen.some((field) => field.name === name))
      if (missing !== undefined)
        return {
          failed: `The field “${missing}” does not exist any more, or is hidden from the account. Stop following it, and follow it again with other fields.`,
        }
      const { articles, more } = await listArticles(call, { language, most, known, onFound })
      const named = articles.map(({ articleId }) => identityOf(articleId))
      const wanted = new Map(
        articles
          .filter(({ articleId, mark }) => {
            const identity = identityOf(articleId)
            return marks.get(identity) !== mark && !isLeftOut(identity)
          })
          .map((article) => [article.id, article]),
      )
      const older = articles.length > most ? `, and ${articles.length - most} older ones from before` : ''
      const pages: LinkedPage[] = []
      let characters = 0
      const ids = [...wanted.keys()]
      for (let at = 0; at < ids.length && characters < MOST_CHARACTERS; at += AT_ONCE) {
        const some = { ids: ids.slice(at, at + AT_ONCE), fields, language }
        await readArticles(call, some, async (id, texts) => {
          const article = wanted.get(id)
          if (!article) return
          const parts = chosen.flatMap(({ name, label, extraTypeInfo }): ArticleText[] => {
            const text = texts.get(name) ?? ''
            return text.trim() === '' ? [] : [{ label, text, isHtml: extraTypeInfo === 'richtextarea' }]
          })
          const markdown = await runTask(articleToMarkdown, { parts, url: origin }, query)
          characters += markdown.length
          const identity = identityOf(article.articleId)
          pages.push({
            url: site === '' ? identity : `${site.replace(/\/$/, '')}/${encodeURIComponent(article.urlName)}`,
            title: article.title,
            article: { url: identity, mark: article.mark, content: { markdown, language: isoOf(language) } },
          })
        })
      }
      const note =
        characters >= MOST_CHARACTERS
          ? 'Its articles are too much for one reading: the rest comes when it is read next.'
          : more
            ? `It has more public articles than are used: these are the newest ${most}${older}.`
            : null
      return { title: `${new URL(url).hostname} (${language})`, pages, named, note }
    } catch (error) {
      if (query.signal?.aborted || !(error instanceof VendorError)) throw error
      return { failed: error.code === 'gone' ? NO_CONNECTION : error.message }
    }
  }
}

/** Articles whose texts are asked for before it is looked how much came. */
const AT_ONCE = 100
const NO_CONNECTION =
  'Its connection to Salesforce was removed. Connect it again under Integrations, stop following this list, and follow it anew.'

/** Salesforce has old codes for Hebrew and Indonesian. */
const old: Readonly<Record<string, string>> = { iw: 'he', in: 'id' }
function isoOf(language: string): string {
  const code = language.split('_')[0]?.toLowerCase() ?? ''
  return old[code] ?? code
}
