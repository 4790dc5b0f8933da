import { useVirtualizer } from '@tanstack/react-virtual'
import { SquareArrowOutUpRight } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { registry } from '../../../blocks/registry'
import { printMarkup } from '../../../engine/translations/markup'
import { isRightToLeft, languageName } from '../../../engine/values/languages'
import { iconOf } from '../../canvas/kindFaces'
import { ShownText } from './ShownText'
import { TranslationCell } from './TranslationCell'
import styles from './textTable.module.css'
import type { Edits } from './useEdits'
import type { ListedText, Wanted } from './useTexts'

interface TableProps {
  texts: readonly ListedText[]
  /** what was looked for: another search is shown from its beginning */
  wanted: Wanted
  main: string
  languages: readonly string[]
  readOnly: boolean
  edits: Edits
  /** then each row says whose it is */
  manyFlows: boolean
  /** the builder's address */
  builder: string
}

/** Where one writes: a text and a language. */
interface Place {
  key: string
  language: string
}

const ROW = 64
const COLUMN = 260

/** All texts that were found, a row each, drawn as far as they are in sight. */
export function TextTable({ texts, wanted, main, languages, readOnly, edits, manyFlows, builder }: TableProps) {
  const { t } = useTranslation('translations')
  const scroll = useRef<HTMLDivElement>(null)
  const [writing, setWriting] = useState<Place | null>(null)
  /** what was typed and could not be written, for a row that was out of sight meanwhile */
  const drafts = useRef(new Map<string, string>())
  const virtual = useVirtualizer({
    count: texts.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW,
    getItemKey: (at) => texts[at]?.key ?? at,
    overscan: 8,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was found changes with each edit, which moves nothing
  useLayoutEffect(() => virtual.scrollToOffset(0), [wanted])
  const goOn = (at: number, language: string, by: 1 | -1) => {
    const next = texts[at + by]
    setWriting(next ? { key: next.key, language } : null)
    if (next) virtual.scrollToIndex(at + by, { align: 'auto' })
  }
  const columns = {
    gridTemplateColumns: `minmax(150px, 200px) repeat(${languages.length + 1}, minmax(${COLUMN}px, 1fr))`,
  }
  return (
    <div ref={scroll} className={styles.scroll}>
      <table
        aria-label={t('title')}
        aria-rowcount={texts.length + 1}
        aria-colcount={languages.length + 2}
        className={styles.table}
      >
        <thead className={styles.heads}>
          <tr aria-rowindex={1} className={styles.head} style={columns}>
            <th scope="col">{t('columns.place')}</th>
            <th scope="col">{t('columns.main', { language: languageName(main) })}</th>
            {languages.map((code) => (
              <th scope="col" key={code}>
                {languageName(code)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const text = texts[index]
            if (!text) return null
            return (
              <tr
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                className={styles.row}
                style={{ ...columns, transform: `translateY(${start}px)` }}
              >
                <Where text={text} manyFlows={manyFlows} builder={builder} />
                <td className={styles.main} lang={main} dir={isRightToLeft(main) ? 'rtl' : undefined}>
                  <ShownText value={text.row.text} names={text.names} />
                </td>
                {languages.map((language) => (
                  <TranslationCell
                    key={language}
                    text={text}
                    language={language}
                    readOnly={readOnly}
                    edits={edits}
                    drafts={drafts.current}
                    label={t('cell', {
                      language: languageName(language),
                      text: printMarkup(text.row.text, text.names.nameOf).slice(0, 80),
                    })}
                    writing={writing?.key === text.key && writing.language === language}
                    onWrite={() => setWriting({ key: text.key, language })}
                    onLeave={() =>
                      setWriting((now) => (now?.key === text.key && now.language === language ? null : now))
                    }
                    onGoOn={(by) => goOn(index, language, by)}
                  />
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Where({ text, manyFlows, builder }: { text: ListedText; manyFlows: boolean; builder: string }) {
  const { t } = useTranslation(['translations', 'blocks'])
  const { flow, group, row } = text
  const { kind, id } = row.block
  const title = t(`blocks:${kind}.title`, { defaultValue: registry.find(kind)?.title ?? kind })
  const query = new URLSearchParams({ ...(!flow.isMain && { flow: flow.fid }), block: id })
  const Icon = iconOf(kind)
  return (
    <th scope="row" className={styles.where}>
      <span className={styles.block}>
        <Icon size={14} aria-hidden />
        <span className={styles.field}>{fieldName(t, row.place, title)}</span>
        <Link
          to={`${builder}?${query}`}
          className={styles.open}
          aria-label={t('open', { block: title })}
          title={t('open', { block: title })}
        >
          <SquareArrowOutUpRight size={13} />
        </Link>
      </span>
      <span className={styles.group}>
        {manyFlows && `${flow.title} › `}
        {group ?? t('untitled')} · {title}
      </span>
    </th>
  )
}

/** What a text is in its block; its block's name where nothing says so. */
export function fieldName(t: (key: string, options: { defaultValue: string }) => string, place: string, other: string) {
  return t(`translations:fields.${patternOf(place)}`, { defaultValue: other })
}

/** `options.<id>.label` as texts are named: `options-label`. Fields and ids take turns from the second step on. */
const patternOf = (place: string): string =>
  place
    .split('.')
    .filter((_, at) => at % 2 === 0)
    .join('-')
