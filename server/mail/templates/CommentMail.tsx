import { Button, Heading, Hr, Link, Section, Text } from '@react-email/components'
import { Layout } from './Layout'

export interface CommentMailProps {
  who: string
  text: string
  /** the recipient is named in it */
  mentioned: boolean
  chatbot: string
  /** '' for the main one */
  flow: string
  /** what the thread is pinned to; '' where that has no name */
  place: string
  /** what was said before it in the thread */
  earlier: readonly { who: string; text: string }[]
  /** opens the thread */
  link: string
}

/** Tells a member of a comment that names them, or in a thread that they take part in. */
export function CommentMail({ who, text, mentioned, chatbot, flow, place, earlier, link }: CommentMailProps) {
  const where = [chatbot, flow, place].filter(Boolean).join(' › ')
  return (
    <Layout preview={text.slice(0, 140)}>
      <Heading as="h1" style={{ margin: '0 0 4px', fontSize: 20, lineHeight: '28px' }}>
        {who} {mentioned ? 'mentioned you' : 'replied'}
      </Heading>
      <Text style={{ ...TEXT, color: '#5c5e59' }}>{where}</Text>
      <Hr style={{ margin: '16px 0' }} />
      <Section>
        {earlier.map((comment, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once, to a string
          <Text key={index} style={{ ...TEXT, color: '#5c5e59' }}>
            <strong>{comment.who}:</strong> {comment.text}
          </Text>
        ))}
        <Text style={TEXT}>
          <strong>{who}:</strong> {text}
        </Text>
      </Section>
      <Button href={link} style={BUTTON}>
        Open the thread
      </Button>
      <Hr style={{ margin: '16px 0' }} />
      <Text style={{ ...TEXT, fontSize: 13, color: '#5c5e59' }}>
        You get this mail since you {mentioned ? 'are mentioned in' : 'take part in'} this thread. To get none about it
        any more, choose “Stop mails about this thread” in <Link href={link}>its menu</Link>.
      </Text>
    </Layout>
  )
}

const TEXT = { margin: '0 0 8px', fontSize: 15, lineHeight: '22px', whiteSpace: 'pre-wrap' } as const
const BUTTON = {
  display: 'inline-block',
  margin: '8px 0 0',
  padding: '10px 16px',
  borderRadius: 6,
  backgroundColor: '#0f766e',
  color: '#ffffff',
  fontSize: 15,
  textDecoration: 'none',
} as const
