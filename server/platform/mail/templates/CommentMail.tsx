import { Hr, Section, Text } from '@react-email/components'
import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title } from './Action'
import { Layout } from './Layout'

export interface CommentMailProps {
  language: InterfaceLanguage
  who: string
  text: string
  /** whether it mentions the recipient */
  mentioned: boolean
  chatbot: string
  /** '' for the main one */
  flow: string
  /** what the thread is pinned to; '' if that has no name */
  place: string
  /** earlier comments of the thread */
  earlier: readonly { who: string; text: string }[]
  /** opens the thread */
  link: string
}

/** Notifies a member of a comment that mentions them, or in a thread that they take part in. */
export function CommentMail(props: CommentMailProps) {
  const { language, who, text, mentioned, chatbot, flow, place, earlier, link } = props
  const texts = mailTexts(language).comment
  return (
    <Layout preview={text.slice(0, 140)} lang={language}>
      <Title>{texts.title(who, mentioned)}</Title>
      <Text style={QUIET}>{[chatbot, flow, place].filter(Boolean).join(' › ')}</Text>
      <Hr style={{ margin: '16px 0' }} />
      <Section>
        {earlier.map((comment, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
          <Text key={index} style={QUIET}>
            <strong>{comment.who}:</strong> {comment.text}
          </Text>
        ))}
        <Text style={TEXT}>
          <strong>{who}:</strong> {text}
        </Text>
      </Section>
      <Action href={link} language={language}>
        {texts.open}
      </Action>
      <Text style={QUIET}>{texts.why(mentioned)}</Text>
    </Layout>
  )
}

const TEXT = { margin: '0 0 8px', fontSize: 15, lineHeight: '22px', whiteSpace: 'pre-wrap' } as const
const QUIET = { ...TEXT, color: '#5c5e59' } as const
