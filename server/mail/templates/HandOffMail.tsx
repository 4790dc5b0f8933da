import { Heading, Hr, Section, Text } from '@react-email/components'
import { Layout } from './Layout'

export interface HandOffMailProps {
  chatbot: string
  team: string
  note: string
  transcript: readonly { who: 'Visitor' | 'Bot'; text: string }[]
}

/** Tells a member that a visitor is waiting for a person. */
export function HandOffMail({ chatbot, team, note, transcript }: HandOffMailProps) {
  return (
    <Layout preview={note || `A visitor of ${chatbot} is waiting for a person.`}>
      <Heading as="h1" style={{ margin: '0 0 8px', fontSize: 20, lineHeight: '28px' }}>
        A visitor of {chatbot} is waiting for a person
      </Heading>
      {team !== '' && <Text style={TEXT}>For: {team}</Text>}
      {note !== '' && <Text style={TEXT}>{note}</Text>}
      <Hr style={{ margin: '16px 0' }} />
      <Section>
        {transcript.map(({ who, text }, index) => (
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
