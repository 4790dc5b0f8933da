import { Hr, Link, Text } from '@react-email/components'
import type { InterfaceLanguage } from '../../../contracts/languages'
import { mailTexts } from '../texts/mailTexts'
import { Action, Title, Words } from './Action'
import { Layout } from './Layout'

export interface WeeklyMailProps {
  language: InterfaceLanguage
  /** the chatbot, or the project */
  about: string
  /** such as `16 – 22 November 2026` */
  week: string
  figures: readonly {
    name: string
    value: string
    /** of the week before */
    before: string
    /** opens the conversations that it counts; null: there are none to open */
    link: string | null
  }[]
  /** the questions that stayed without an answer most often; none for guests: they are visitors' words */
  unanswered: readonly { question: string; count: number; link: string }[]
  /** where editors answer these, and confirm the week's uncertain answers; null: of no chatbot, or for guests */
  mend: { uncertain: number; link: string; uncertainLink: string } | null
  /** opens the analytics; null: the recipient has no account */
  link: string | null
  /** where the recipient ends these mails; null: the reader of this copy must not see it */
  end: { label: string; href: string } | null
}

/** The figures of a week, beside those of the week before. */
export function WeeklyMail({ language, about, week, figures, unanswered, mend, link, end }: WeeklyMailProps) {
  const texts = mailTexts(language).weekly
  return (
    <Layout preview={`${about}: ${week}`} lang={language}>
      <Title>{about}</Title>
      <Words>{texts.beside(week)}</Words>
      <table role="presentation" style={TABLE}>
        <tbody>
          {figures.map(({ name, value, before, link: to }) => (
            <tr key={name}>
              <td style={NAME}>{to === null ? name : <Link href={to}>{name}</Link>}</td>
              <td style={VALUE}>
                <strong>{value}</strong>
              </td>
              <td style={BEFORE}>{before}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {unanswered.length > 0 && (
        <>
          <Hr style={{ margin: '16px 0' }} />
          <Words>
            <strong>{texts.unanswered}</strong>
          </Words>
          {unanswered.map(({ question, count, link: to }) => (
            <Text key={question} style={TEXT}>
              <Link href={to}>{question}</Link> ({count})
            </Text>
          ))}
          {mend && (
            <Text style={TEXT}>
              <Link href={mend.link}>{texts.answerThem}</Link>
            </Text>
          )}
        </>
      )}
      {mend && mend.uncertain > 0 && (
        <>
          <Hr style={{ margin: '16px 0' }} />
          <Words>{texts.uncertain(mend.uncertain)}</Words>
          <Text style={TEXT}>
            <Link href={mend.uncertainLink}>{texts.confirmThem}</Link>
          </Text>
        </>
      )}
      {link !== null && (
        <Action href={link} language={language}>
          {texts.open}
        </Action>
      )}
      {end !== null && (
        <Text style={QUIET}>
          <Link href={end.href}>{end.label}</Link>
        </Text>
      )}
    </Layout>
  )
}

const TEXT = { margin: '0 0 8px', fontSize: 15, lineHeight: '22px' } as const
const QUIET = { ...TEXT, fontSize: 13, color: '#5c5e59' } as const
const TABLE = { width: '100%', margin: '0 0 16px', borderCollapse: 'collapse' } as const
const NAME = { padding: '6px 0', borderTop: '1px solid #e4e4e1', fontSize: 15 } as const
const VALUE = { ...NAME, padding: '6px 12px', textAlign: 'right' } as const
const BEFORE = { ...NAME, color: '#5c5e59', textAlign: 'right' } as const
