import { Button, Hr, Link, Section, Text } from '@react-email/components'
import type { RenderedRichText } from '../../../../engine/values/richText'
import { Title } from './Action'
import { Layout } from './Layout'
import { Paragraphs } from './Paragraphs'

/** All words are given: they are in the visitor's language. */
export interface AnswerMailProps {
  lang: string
  dir: 'ltr' | 'rtl'
  title: string
  answers: readonly { seq: number; who: string; body: RenderedRichText }[]
  /** what was said before, quoted under its title */
  earlier: { title: string; messages: readonly { seq: number; who: string; text: string }[] }
  /** leads back into the conversation; null: not kept where others read it */
  back: { label: string; href: string } | null
  /** that one may reply to the mail; null: one may not */
  hint: string | null
  unsubscribe: { label: string; href: string } | null
}

/** People's answers, for a visitor who has left. */
export function AnswerMail({ lang, dir, title, answers, earlier, back, hint, unsubscribe }: AnswerMailProps) {
  return (
    <Layout preview={title} lang={lang} dir={dir}>
      <Title>{title}</Title>
      {answers.map(({ seq, who, body }) => (
        <Section key={seq} style={{ margin: '0 0 12px' }}>
          <Text style={QUIET}>{who}</Text>
          <Paragraphs body={body} />
        </Section>
      ))}
      {back !== null && (
        <Button href={back.href} style={BUTTON}>
          {back.label}
        </Button>
      )}
      {hint !== null && <Text style={QUIET}>{hint}</Text>}
      {earlier.messages.length > 0 && (
        <Section style={QUOTE}>
          <Text style={QUIET}>{earlier.title}</Text>
          {earlier.messages.map(({ seq, who, text }) => (
            <Text key={seq} style={{ ...QUIET, whiteSpace: 'pre-wrap' }}>
              <strong>{who}:</strong> {text}
            </Text>
          ))}
        </Section>
      )}
      {unsubscribe !== null && (
        <>
          <Hr style={{ margin: '16px 0' }} />
          <Link href={unsubscribe.href} style={{ fontSize: 13, color: '#5c5e59' }}>
            {unsubscribe.label}
          </Link>
        </>
      )}
    </Layout>
  )
}

const QUIET = { margin: '0 0 8px', fontSize: 13, lineHeight: '20px', color: '#5c5e59' } as const
const QUOTE = { margin: '16px 0 0', padding: '4px 12px', border: '1px solid #e3e4e0', borderRadius: 6 } as const
const BUTTON = {
  display: 'inline-block',
  margin: '4px 0 16px',
  padding: '10px 18px',
  borderRadius: 6,
  backgroundColor: '#0f766e',
  color: '#ffffff',
  fontSize: 15,
  fontWeight: 600,
}
