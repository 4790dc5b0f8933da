import { UserRound } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { countSentenceLines, withChips } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import { type ContactData, setsFields } from './schema'

const LINES = 3

function ContactFace({ data, names }: FaceProps<ContactData>) {
  const { t } = useTranslation('blocks')
  const listed = listedFields(data)
  return (
    <>
      <FaceText lines={sentenceLines(data, names)} faint={isBlank(data)}>
        {isBlank(data) ? (
          t(`contact.face.blank.${data.action}`)
        ) : (
          <Trans
            t={t}
            i18nKey={`contact.face.${data.action}`}
            values={{ key: t(`contact.face.keys.${data.key}`) }}
            components={{
              value: (
                <strong>
                  <DynamicView value={data.keyValue} nameOf={names.variable} />
                </strong>
              ),
            }}
          />
        )}
      </FaceText>
      {listed.length > 0 && (
        <FaceText lines={1} faint>
          {listed.map((field) => t(`contact.fields.fields-field.options.${field}`)).join(', ')}
        </FaceText>
      )}
    </>
  )
}

const isBlank = ({ keyValue }: ContactData): boolean => keyValue.type === 'static' && keyValue.value.trim() === ''

/** The fields that it sets or reads. */
const listedFields = (data: ContactData): ContactData['fields'][number]['field'][] =>
  (setsFields(data) ? data.fields : data.action === 'get' ? data.outputs : []).map(({ field }) => field)

const sentenceLines = (data: ContactData, { variable, text }: FaceNames): number => {
  if (isBlank(data)) return 1
  const sentence = text(`contact.face.${data.action}`, { key: text(`contact.face.keys.${data.key}`) })
  return countSentenceLines(sentence, { value: withChips(data.keyValue, variable) }, LINES)
}

export const face: BlockFace<ContactData> = {
  icon: UserRound,
  height: (data, names) => (sentenceLines(data, names) + (listedFields(data).length > 0 ? 1 : 0)) * faceMetrics.line,
  Component: ContactFace,
}
