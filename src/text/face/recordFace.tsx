import type { LucideIcon } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { finds, type RecordData, sets } from '../../../engine/crm/recordData'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../ui/blockFace'
import { DynamicView } from '../RichTextView'
import { countSentenceLines, withChips } from './countLines'
import { FaceText } from './FaceText'

const LINES = 3

/** The face of a block that creates, updates or finds a record of a CRM, in the words of its kind. */
export const createRecordFace = (kind: string, icon: LucideIcon): BlockFace<RecordData> => ({
  icon,
  height: (data, names) =>
    (sentenceLines(kind, data, names) + (propertiesOf(data).length > 0 ? 1 : 0)) * faceMetrics.line,
  // biome-ignore lint/correctness/noComponentHookFactories: created once per kind, on import
  Component: (props) => <RecordFace {...props} kind={kind} />,
})

function RecordFace({ kind, data, names }: FaceProps<RecordData> & { kind: string }) {
  const { t } = useTranslation('blocks')
  const properties = propertiesOf(data)
  return (
    <>
      <FaceText lines={sentenceLines(kind, data, names)} faint={data.connection === null}>
        <Trans
          t={t}
          i18nKey={sentenceOf(kind, data)}
          values={{ object: t(`${kind}.face.objects.${data.object}`), by: byOf(data, t(`${kind}.face.id`)) }}
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

const isBlank = ({ findValue }: RecordData): boolean => findValue.type === 'static' && findValue.value.trim() === ''
/** The key of the sentence, typed as one of those that all kinds of CRMs have. */
const sentenceOf = (kind: string, data: RecordData) =>
  `${kind}.face.${data.action}${finds(data) && !isBlank(data) ? 'By' : ''}` as 'hubspot-record.face.updateBy'
const byOf = ({ findBy, findProperty }: RecordData, id: string): string =>
  findBy === 'id' ? id : (findProperty?.label ?? '')

/** The properties that it sets or saves. */
const propertiesOf = (data: RecordData): string[] =>
  (sets(data) ? data.fields : data.outputs).flatMap(({ property }) => property?.label ?? [])

function sentenceLines(kind: string, data: RecordData, { text, variable }: FaceNames): number {
  const object = text(`${kind}.face.objects.${data.object}`)
  const sentence = text(sentenceOf(kind, data), { object, by: byOf(data, text(`${kind}.face.id`)) })
  return countSentenceLines(sentence, { value: withChips(data.findValue, variable) }, LINES)
}
