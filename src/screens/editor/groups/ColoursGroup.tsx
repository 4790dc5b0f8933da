import { Check, Globe, Palette, TriangleAlert, WandSparkles } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../ui/Button'
import { ColourField } from '../../../ui/ColourField'
import { Segmented } from '../../../ui/Segmented'
import css from '../editor.module.css'
import type { GroupProps } from '../groupProps'
import { madeReadable, readabilityOf } from '../readability'
import { ThemesDialog } from '../ThemesDialog'
import { themes } from '../themes'
import { WebsiteDialog } from '../WebsiteDialog'

const parts = ['accent', 'background', 'text', 'bot', 'visitor'] as const

interface ColoursGroupProps extends GroupProps {
  /** which of the two sets is worked on: the preview shows it */
  scheme: 'light' | 'dark'
  onScheme: (scheme: 'light' | 'dark') => void
}

/** The colours, light and dark, and whether they can be read. */
export function ColoursGroup({ draft, readOnly, pgid, cgid, scheme, onScheme }: ColoursGroupProps) {
  const { t } = useTranslation('appearance')
  const [open, setOpen] = useState<'themes' | 'website' | null>(null)
  const { look, errors, change } = draft
  const colours = look.colours[scheme]
  const checks = readabilityOf(colours)
  const theme = themes.find(({ id }) => id === look.theme)
  const swatches = [...new Set(parts.map((part) => colours[part]))]
  return (
    <>
      {!readOnly && (
        <div className={css.row}>
          <Button size="s" icon={<Palette size={14} />} onClick={() => setOpen('themes')}>
            {theme ? t('themes.openNamed', { name: theme.name }) : t('themes.open')}
          </Button>
          <Button size="s" icon={<Globe size={14} />} onClick={() => setOpen('website')}>
            {t('website.open')}
          </Button>
        </div>
      )}
      <div className={css.stack}>
        <span className={css.label}>{t('colours.shown')}</span>
        <Segmented
          label={t('colours.shown')}
          value={look.colours.scheme}
          options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: t(`scheme.${value}`) }))}
          onChange={(value) => {
            if (readOnly) return
            if (value !== 'system') onScheme(value)
            change('colours.scheme', (next) => {
              next.colours.scheme = value
            })
          }}
        />
      </div>
      <div className={css.stack}>
        <span className={css.label}>{t('colours.set')}</span>
        <Segmented
          label={t('colours.set')}
          value={scheme}
          options={(['light', 'dark'] as const).map((value) => ({ value, label: t(`scheme.${value}`) }))}
          onChange={onScheme}
        />
      </div>
      <div className={css.columns}>
        {parts.map((part) => (
          <ColourField
            key={`${scheme}.${part}`}
            label={t(`colours.${part}`)}
            value={colours[part]}
            error={errors[`colours.${scheme}.${part}`]}
            readOnly={readOnly}
            swatches={swatches}
            onChange={(value) =>
              change(`colours.${scheme}.${part}`, (next) => {
                const own = next.colours[scheme]
                // the visitor's bubbles go along with the accent until they have a colour of their own
                if (part === 'accent' && own.visitor === own.accent) own.visitor = value
                own[part] = value
                next.theme = ''
              })
            }
          />
        ))}
      </div>
      <div className={css.checks} role="status">
        {checks.map(({ name, contrast, enough }) => (
          <p key={name} data-enough={enough}>
            {enough ? <Check size={14} aria-hidden /> : <TriangleAlert size={14} aria-hidden />}
            <span>{t(`contrast.${name}`)}</span>
            <span className={css.ratio}>{t('contrast.ratio', { ratio: contrast.toFixed(1) })}</span>
            {!enough && <strong>{t('contrast.low')}</strong>}
          </p>
        ))}
      </div>
      {!readOnly && checks.some(({ enough }) => !enough) && (
        <div>
          <Button
            size="s"
            design="primary"
            icon={<WandSparkles size={14} />}
            onClick={() =>
              change('readable', (next) => {
                next.colours[scheme] = madeReadable(next.colours[scheme])
                next.theme = ''
              })
            }
          >
            {t('contrast.fix')}
          </Button>
        </div>
      )}
      {open === 'themes' && <ThemesDialog draft={draft} scheme={scheme} onClose={() => setOpen(null)} />}
      {open === 'website' && <WebsiteDialog pgid={pgid} cgid={cgid} draft={draft} onClose={() => setOpen(null)} />}
    </>
  )
}
