import { Contact } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { countSentenceLines, withChips } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { DynamicView } from '../../src/text/RichTextView'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import { finds, type HubspotRecordData, sets } from './schema'

const LINES = 3

function HubspotRecordFace({ data, names }: FaceProps<HubspotRecordData>) {
  const { t } = useTranslation('blocks')
  const properties = propertiesOf(data)
  return (
    <>
      <FaceText lines={sentenceLines(data, names)} faint={data.connection === null}>
        <Trans
          t={t}
          i18nKey={sentenceOf(data)}
          values={{
            object: t(`hubspot-record.face.objects.${data.object}`),
            by: byOf(data, t('hubspot-record.face.id')),
          }}
          components={{
            value: (
              <strong>
                <DynamicView value={data.findValue} nameOf={names.variable} />
              </strong>
            ),
          }}
        />
      </FaceText>
      {properties.length > 0 && (
        <FaceText lines={1} faint>
          {properties.join(', ')}
        </FaceText>
      )}
    </>
  )
}

const isBlank = ({ findValue }: HubspotRecordData): boolean =>
  findValue.type === 'static' && findValue.value.trim() === ''
const sentenceOf = (data: HubspotRecordData) =>
  finds(data) && !isBlank(data)
    ? (`hubspot-record.face.${data.action}By` as 'hubspot-record.face.updateBy')
    : (`hubspot-record.face.${data.action}` as 'hubspot-record.face.update')
const byOf = ({ findBy, findProperty }: HubspotRecordData, id: string): string =>
  findBy === 'id' ? id : (findProperty?.label ?? '')

/** The properties that it sets or saves. */
const propertiesOf = (data: HubspotRecordData): string[] =>
  (sets(data) ? data.fields : data.outputs).flatMap(({ property }) => property?.label ?? [])

function sentenceLines(data: HubspotRecordData, { text, variable }: FaceNames): number {
  const object = text(`hubspot-record.face.objects.${data.object}`)
  const sentence = text(sentenceOf(data), { object, by: byOf(data, text('hubspot-record.face.id')) })
  return countSentenceLines(sentence, { value: withChips(data.findValue, variable) }, LINES)
}

export const face: BlockFace<HubspotRecordData> = {
  icon: Contact,
  height: (data, names) => (sentenceLines(data, names) + (propertiesOf(data).length > 0 ? 1 : 0)) * faceMetrics.line,
  Component: HubspotRecordFace,
}
