import { Ticket } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { isBlankValue } from '../../engine/values/dynamicValue'
import { countSentenceLines, withChips } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { ZendeskTicketData } from './schema'

const LINES = 3

function ZendeskTicketFace({ data, names }: FaceProps<ZendeskTicketData>) {
  const { t } = useTranslation('blocks')
  return (
    <FaceText lines={sentenceLines(data, names)} faint={data.connection === null}>
      <Trans
        t={t}
        i18nKey={sentenceOf(data)}
        components={{
          value: (
            <strong>
              <DynamicView value={namedBy(data)} nameOf={names.variable} />
            </strong>
          ),
        }}
      />
    </FaceText>
  )
}

/** What the sentence names: a new ticket’s subject, or which ticket it is. */
const namedBy = ({ action, subject, ticketId }: ZendeskTicketData) => (action === 'create' ? subject : ticketId)
const sentenceOf = (data: ZendeskTicketData) =>
  isBlankValue(namedBy(data))
    ? (`zendesk-ticket.face.${data.action}` as 'zendesk-ticket.face.create')
    : (`zendesk-ticket.face.${data.action}Named` as 'zendesk-ticket.face.createNamed')

const sentenceLines = (data: ZendeskTicketData, { text, variable }: FaceNames): number =>
  countSentenceLines(text(sentenceOf(data)), { value: withChips(namedBy(data), variable) }, LINES)

export const face: BlockFace<ZendeskTicketData> = {
  icon: Ticket,
  height: (data, names) => sentenceLines(data, names) * faceMetrics.line,
  Component: ZendeskTicketFace,
}
