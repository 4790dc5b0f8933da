import { messageToString } from '../../../../engine/flow/conversationWords'
import { cleanText } from '../../../../engine/values/cleanText'
import { plainRichText } from '../../../../engine/values/richText'
import { mayEmbed } from '../../../contracts/web/domains'
import type { Config } from '../../../platform/config/config'
import type { ProjectDb } from '../../../platform/database/database'
import { chatUrlOf } from '../../../platform/http/chatOrigin'
import type { Mail } from '../../mails/createMailer'
import { webChatOf } from '../../web/webSettings'
import type { ClaimedAnswers } from './claimAnswers'
import { filledIn, textsIn } from './texts'
import type { ThreadTokens } from './threadKeys'
import { pathOfUnsubscribe } from './unsubscribe'

/** Messages before the answers that are quoted, and characters of each. */
const QUOTED = 4
const QUOTED_CHARACTERS = 500
/** Answers of one mail: the newest. */
const MOST_ANSWERS = 50

interface Parts {
  config: Pick<Config, 'publicUrl' | 'chatUrl'>
  tokens: ThreadTokens
  /** where a reply to the mail arrives; null: nowhere */
  replyTo: string | null
}

/** The mail with the answers of a conversation that were claimed. */
export async function answerMail(
  db: ProjectDb,
  place: { projectId: string; conversationId: string },
  claimed: ClaimedAnswers,
  { config, tokens, replyTo }: Parts,
): Promise<Mail> {
  const about = await readConversation(db, place.conversationId)
  const web = webChatOf(about)
  const name = web.look.brand.name || about.name
  const { interface_language } = web.language
  const { lang, dir, texts } = textsIn([interface_language === 'auto' ? about.spoken : interface_language])
  const { answers, earlier } = await readMessages(db, place.conversationId, claimed)
  const people = [...new Set(answers.map(({ person }) => person).filter((person) => person !== ''))]
  const title = filledIn(texts.answered, { person: people.join(', ') || name })
  const root = chatUrlOf(config)
  const unsubscribe = root + pathOfUnsubscribe(tokens.unsubscribe)
  const body = {
    template: 'answer',
    lang,
    dir,
    title,
    answers: answers.map(({ seq, person, content }) => ({
      seq,
      who: person || name,
      body: content.kind === 'text' ? content.text : plainRichText(messageToString(content)),
    })),
    earlier: {
      title: texts.earlier,
      messages: earlier.map(({ seq, author, person, content }) => ({
        seq,
        who: author === 2 ? texts.you : person || name,
        text: cleanText(messageToString(content)).slice(0, QUOTED_CHARACTERS),
      })),
    },
    back: { label: texts.open, href: `${pageOf(root, about, web)}#parley=${about.gid}.${tokens.link}` },
    hint: replyTo === null ? null : texts.reply,
    unsubscribe: { label: texts.unsubscribe, href: unsubscribe },
  } as const
  return {
    projectId: place.projectId,
    conversationId: place.conversationId,
    key: `answer.${about.gid}.${claimed.key}`,
    purpose: 'answer',
    fromName: web.continuation.sender_name || (people.length === 1 ? `${people[0]} (${name})` : name),
    to: [claimed.email],
    cc: [],
    bcc: [],
    replyTo: replyTo === null ? [] : [replyTo],
    // the same for all mails of a thread: some mail programs sort by it
    subject: filledIn(texts.subject, { name }),
    body,
    thread: { before: claimed.before, unsubscribe },
    // who holds a link is let in, and who knows the address speaks for the visitor
    keptBody: { ...body, back: null, unsubscribe: null },
    hidesReplyTo: true,
  }
}

const readConversation = (db: ProjectDb, id: string) =>
  db
    .selectFrom('conversations')
    .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
    .leftJoin('web_chats', 'web_chats.chatbot_id', 'conversations.chatbot_id')
    .leftJoin('runs', (join) => join.onRef('runs.conversation_id', '=', 'conversations.id').on('runs.number', '=', 1))
    .select(['conversations.gid', 'conversations.environment', 'conversations.language as spoken'])
    .select(['chatbots.name', 'chatbots.slug', 'chatbots.egid', 'runs.start_event'])
    .select(['web_chats.embed', 'web_chats.language', 'web_chats.look_published', 'web_chats.continuation'])
    .where('conversations.id', '=', id)
    .executeTakeFirstOrThrow()

type About = Awaited<ReturnType<typeof readConversation>>

/**
 * The page of the conversation: where it began, if that is one of the chatbot's sites as its editors name them (a
 * browser could claim any, and the link lets in); else the chat alone.
 */
function pageOf(root: string, { environment, slug, egid, start_event }: About, web: ReturnType<typeof webChatOf>) {
  if (environment === 'sharing') return `${root}/c/${slug}`
  const { whitelisted_domains } = web.embed
  const url = start_event?.url
  if (url && whitelisted_domains.length > 0 && URL.canParse(url)) {
    const { protocol, origin, href } = new URL(url)
    if (/^https?:$/.test(protocol) && mayEmbed(whitelisted_domains, origin)) return href.split('#', 1)[0] ?? href
  }
  return `${root}/embed/@${egid}`
}

async function readMessages(db: ProjectDb, conversationId: string, { after, upTo }: ClaimedAnswers) {
  const all = db
    .selectFrom('messages')
    .leftJoin('users', 'users.id', 'messages.sender_id')
    .select(['seq', 'author', 'content', 'sender_id', 'first_name'])
    .where('conversation_id', '=', conversationId)
    .orderBy('seq', 'desc')
  const answers = await all
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .where('sender_id', 'is not', null)
    .limit(MOST_ANSWERS)
    .execute()
  const earlier = await all.where('seq', '<=', after).limit(QUOTED).execute()
  const named = (rows: typeof answers) =>
    rows.reverse().map(({ first_name, ...row }) => ({ ...row, person: first_name ?? '' }))
  return { answers: named(answers), earlier: named(earlier) }
}
