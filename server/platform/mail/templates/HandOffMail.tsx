import { Hr, Link, Section, Text } from '@react-email/components'
import { Action, Title } from './Action'
import { Layout } from './Layout'

export interface HandOffMailProps {
  chatbot: string
  team: string
  note: string
  /** where the visitor is answered; null: no address is known */
  email: string | null
  /** the visitor's last question; empty: none in their own words */
  question: string
  messages: readonly { who: 'Visitor' | 'Bot'; text: string }[]
  /** earlier messages were left out */
  cut: boolean
  /** opens the conversation */
  link: string
  /** false: what the visitor has added since the first mail */
  isFirst: boolean
}

/** Passes a visitor's conversation to people who answer by mail, or what the visitor has added to it. */
export function HandOffMail(props: HandOffMailProps) {
  const { chatbot, team, note, email, question, messages, cut, link, isFirst } = props
  return (
    <Layout preview={(question || note).slice(0, 140)}>
      <Title>
        {isFirst ? `A visitor of ${chatbot} needs an answer` : `The visitor of ${chatbot} has added something`}
      </Title>
      {email === null ? (
        <Text style={TEXT}>The visitor gave no email address.</Text>
      ) : (
        <Text style={TEXT}>
          Answer to <Link href={`mailto:${email}`}>{email}</Link>, or reply to this mail.
        </Text>
      )}
      {isFirst && question !== '' && (
        <Text style={TEXT}>
          <strong>Last question:</strong> {question}
        </Text>
      )}
      {team !== '' && <Text style={TEXT}>For: {team}</Text>}
      {isFirst && note !== '' && <Text style={TEXT}>{note}</Text>}
      <Action href={link}>Open the conversation</Action>
      <Hr style={{ margin: '0 0 16px' }} />
      <Section>
        {cut && <Text style={TEXT}>Earlier messages are in the conversation.</Text>}
        {messages.map(({ who, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
          <Text key={index} style={TEXT}>
            <strong>{who}:</strong> {text}
          </Text>
        ))}
      </Section>
    </Layout>
  )
}

const TEXT = { margin: '0 0 8px', fontSize: 15, lineHeight: '22px', whiteSpace: 'pre-wrap' } as const
