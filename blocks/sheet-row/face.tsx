import { Sheet } from 'lucide-react'
import { Trans, useTranslation } from 'react-i18next'
import { countSentenceLines } from '../../src/text/face/countLines'
import { FaceText } from '../../src/text/face/FaceText'
import { type BlockFace, type FaceNames, type FaceProps, faceMetrics } from '../../src/ui/blockFace'
import { type SheetRowData, setsCells } from './schema'

const LINES = 3

function SheetRowFace({ data, names }: FaceProps<SheetRowData>) {
  const { t } = useTranslation('blocks')
  const place = placeOf(data)
  const columns = columnsOf(data)
  return (
    <>
      <FaceText lines={sentenceLines(data, names)} faint={place === null}>
        {place === null ? (
          t('sheet-row.face.blank')
        ) : (
          <Trans t={t} i18nKey={`sheet-row.face.${data.action}`} components={{ place: <strong>{place}</strong> }} />
        )}
      </FaceText>
      {columns.length > 0 && (
        <FaceText lines={1} faint>
          {columns.join(', ')}
        </FaceText>
      )}
    </>
  )
}

const placeOf = ({ spreadsheet, tab }: SheetRowData): string | null =>
  spreadsheet === null ? null : tab === null ? spreadsheet.name : `${spreadsheet.name} › ${tab.title}`

/** The columns that it sets or saves. */
const columnsOf = (data: SheetRowData): string[] =>
  (setsCells(data) ? data.cells : data.action === 'get' ? data.outputs : []).flatMap(({ column }) => column || [])

function sentenceLines(data: SheetRowData, { text }: FaceNames): number {
  const place = placeOf(data)
  return place === null ? 1 : countSentenceLines(text(`sheet-row.face.${data.action}`), { place }, LINES)
}

export const face: BlockFace<SheetRowData> = {
  icon: Sheet,
  height: (data, names) => (sentenceLines(data, names) + (columnsOf(data).length > 0 ? 1 : 0)) * faceMetrics.line,
  Component: SheetRowFace,
}
