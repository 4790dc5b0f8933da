import { Mail } from 'lucide-react'
import { Fragment } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { caps } from '../../engine/values/caps'
import { lineCardText } from '../../src/text/face/cardTexts'
import { countLines, countSentenceLines, withChips } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import type { Recipient, SendEmailData } from './schema'

const TO_LINES = 2
const SUBJECT_LINES = 2

function SendEmailFace({ data, names }: FaceProps<SendEmailData>) {
  const { t } = useTranslation('blocks')
  const to = filled(data)
  return (
    <>
      <FaceText lines={toLines(data, names)} faint={to.length === 0}>
        {to.length === 0 ? (
          t('send-email.face.nobody')
        ) : (
          <Trans
            t={t}
            i18nKey="send-email.face.to"
            components={{
              to: (
                <strong>
                  {to.map(({ id, address }, index) => (
                    <Fragment key={id}>
                      {index > 0 && ', '}
                      <DynamicView value={address} nameOf={names.variable} />
                    </Fragment>
                  ))}
                </strong>
              ),
            }}
          />
        )}
      </FaceText>
      <FaceText name="subject" lines={subjectLines(data, names)} faint={isBlank(data.subject)}>
        {isBlank(data.subject) ? (
          t('send-email.face.noSubject')
        ) : (
          <DynamicView value={data.subject} nameOf={names.variable} />
        )}
      </FaceText>
    </>
  )
}

const isBlank = (value: SendEmailData['subject']): boolean => value.type === 'static' && value.value.trim() === ''

const filled = ({ to }: SendEmailData): Recipient[] => to.filter(({ address }) => !isBlank(address))

const toLines = (data: SendEmailData, names: FaceNames): number => {
  const to = filled(data)
  return to.length === 0
    ? 1
    : countSentenceLines(
        names.text('send-email.face.to'),
        { to: to.map(({ address }) => withChips(address, names.variable)).join(', ') },
        TO_LINES,
      )
}

const subjectLines = ({ subject }: SendEmailData, names: FaceNames): number =>
  isBlank(subject) ? 1 : countLines(withChips(subject, names.variable), SUBJECT_LINES)

export const face: BlockFace<SendEmailData> = {
  icon: Mail,
  height: (data, names) => (toLines(data, names) + subjectLines(data, names)) * faceMetrics.line,
  // in a new block, the recipient in its settings comes first
  texts: (data) => (filled(data).length === 0 ? [] : [lineCardText('subject', caps.mailSubject)]),
  Component: SendEmailFace,
}
