import { Download, FileDown, FileUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { registry } from '../../../blocks/registry'
import type { Projection } from '../../../engine/document/commands'
import type { Languages } from '../../../engine/translations/translation'
import { languageName } from '../../../engine/values/languages'
import { Button } from '../../ui/Button'
import { downloadText } from '../../ui/downloadText'
import { Menu, MenuEntry } from '../../ui/Menu'
import { notify } from '../../ui/notify'
import { writeCsv } from './exchange/csv'
import { exchangeCaps } from './exchange/entries'
import { exchangedTexts } from './exchange/exchangedTexts'
import type { ImportAnswer } from './exchange/importTranslations'
import { runImport } from './exchange/runImport'
import { writeXliff } from './exchange/xliff'
import { ImportReport } from './ImportReport'
import { fieldName } from './TextTable'
import type { Edits } from './useEdits'
import type { OpenedFlow } from './useTexts'

interface ExchangeProps {
  /** of the files */
  name: string
  flows: readonly OpenedFlow[]
  projections: readonly Projection[]
  languages: Languages
  readOnly: boolean
  edits: Edits
}

/** Files of translations: out for who translates elsewhere, and in again. */
export function Exchange({ name, flows, projections, languages, readOnly, edits }: ExchangeProps) {
  const { t } = useTranslation(['translations', 'blocks'])
  const input = useRef<HTMLInputElement>(null)
  const [reading, setReading] = useState(false)
  const [answer, setAnswer] = useState<(ImportAnswer & { ok: true }) | null>(null)
  const { main, others } = languages

  function texts() {
    const titled = flows.flatMap(({ fid: id, title }, at) => {
      const view = projections[at]
      return view ? [{ id, title, view }] : []
    })
    return exchangedTexts(titled, registry, others, {
      kind: (kind) => t(`blocks:${kind}.title`, { defaultValue: registry.find(kind)?.title ?? kind }),
      field: (place, kind) => fieldName(t, place, kind),
    })
  }
  async function read(file: File) {
    setReading(true)
    try {
      // a larger one is not even read
      const source = file.size > exchangeCaps.bytes * 3 ? null : await file.text()
      const found = await runImport({
        source: source ?? 'x'.repeat(exchangeCaps.bytes + 1),
        flows: flows.map(({ fid, open }) => ({ id: fid, flow: open.document.toFlow() })),
        main,
        others,
      })
      if (found.ok) setAnswer(found)
      else notify.error(found.message)
    } catch {
      notify.error(t('import.failed'))
    } finally {
      setReading(false)
    }
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button icon={<Download size={14} />}>{t('export.button')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <MenuEntry
            leftSection={<FileDown size={15} />}
            onClick={() => downloadText(writeCsv(texts(), main, others), `${name}.translations.csv`, 'text/csv')}
          >
            {t('export.csv')}
          </MenuEntry>
          <Menu.Divider />
          {others.map((code) => (
            <MenuEntry
              key={code}
              leftSection={<FileDown size={15} />}
              onClick={() =>
                downloadText(writeXliff(texts(), main, code), `${name}.${code}.xlf`, 'application/xliff+xml')
              }
            >
              {t('export.xliff', { language: languageName(code) })}
            </MenuEntry>
          ))}
        </Menu.Dropdown>
      </Menu>
      {!readOnly && (
        <>
          <Button icon={<FileUp size={14} />} loading={reading} onClick={() => input.current?.click()}>
            {t('import.button')}
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,.tsv,.txt,.xlf,.xliff,text/csv,application/xliff+xml"
            aria-label={t('import.title')}
            onChange={(event) => {
              const [file] = event.currentTarget.files ?? []
              // the same file may be chosen again
              event.currentTarget.value = ''
              if (file) void read(file)
            }}
          />
        </>
      )}
      <ImportReport
        answer={answer}
        onClose={() => setAnswer(null)}
        onImport={({ plan, newLanguages }) => {
          if (newLanguages.length > 0) edits.setLanguages({ main, others: [...others, ...newLanguages] })
          edits.apply(plan.changes)
          notify.success(t('import.done', { count: plan.changes.length }))
          setAnswer(null)
        }}
      />
    </>
  )
}
