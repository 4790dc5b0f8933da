import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ImageUp, Monitor, Moon, Smartphone, Sun, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Colour, hexOf, inkOn, over, parseColour } from '../../../engine/values/colour'
import type { Look } from '../../../server/contracts/web/look'
import { Button } from '../../ui/Button'
import { Segmented } from '../../ui/Segmented'
import { TextField } from '../../ui/TextField'
import { type MountedChat, mountChat } from '../../widget/mount'
import { loadTexts } from '../../widget/texts'
import { LauncherIcon } from './LauncherIcon'
import css from './preview.module.css'
import { createSampleTransport } from './sampleTransport'

interface LookPreviewProps {
  look: Look
  /** what stands for a name that the look leaves out */
  name: string
  scheme: 'light' | 'dark'
  onScheme: (scheme: 'light' | 'dark') => void
}
type Ground = 'plain' | 'screenshot' | 'site'

/** The chat and its launcher as visitors will see them, on a phone or a desk, over a page. */
export function LookPreview({ look, name, scheme, onScheme }: LookPreviewProps) {
  const { t } = useTranslation('appearance')
  const [device, setDevice] = useState<'desk' | 'phone'>(() =>
    matchMedia('(max-width: 900px)').matches ? 'phone' : 'desk',
  )
  const [ground, setGround] = useState<Ground>('plain')
  const [open, setOpen] = useState(true)
  const [screenshot, setScreenshot] = useState<string | null>(null)
  const [site, setSite] = useState('')
  const [shownSite, showSite] = useState('')
  const file = useRef<HTMLInputElement>(null)
  useEffect(() => () => void (screenshot && URL.revokeObjectURL(screenshot)), [screenshot])
  return (
    <section className={css.preview} aria-label={t('preview.title')}>
      <div className={css.bar}>
        <Segmented
          label={t('preview.device')}
          value={device}
          options={[
            { value: 'desk', label: <Named icon={<Monitor size={14} />} name={t('preview.desk')} /> },
            { value: 'phone', label: <Named icon={<Smartphone size={14} />} name={t('preview.phone')} /> },
          ]}
          onChange={setDevice}
        />
        <Segmented
          label={t('colours.set')}
          value={scheme}
          options={[
            { value: 'light', label: <Named icon={<Sun size={14} />} name={t('scheme.light')} /> },
            { value: 'dark', label: <Named icon={<Moon size={14} />} name={t('scheme.dark')} /> },
          ]}
          onChange={onScheme}
        />
        <span className={css.space} />
        <Segmented
          label={t('preview.ground')}
          value={ground}
          options={(['plain', 'screenshot', 'site'] as const).map((value) => ({ value, label: t(`preview.${value}`) }))}
          onChange={setGround}
        />
      </div>
      {ground === 'screenshot' && (
        <div className={css.bar}>
          <Button size="s" icon={<ImageUp size={14} />} onClick={() => file.current?.click()}>
            {t('preview.chooseScreenshot')}
          </Button>
          <span className={css.hint}>{t('preview.screenshotAbout')}</span>
          <input
            ref={file}
            type="file"
            hidden
            aria-label={t('preview.chooseScreenshot')}
            accept="image/png,image/jpeg,image/webp"
            onChange={({ currentTarget }) => {
              const [chosen] = currentTarget.files ?? []
              currentTarget.value = ''
              if (chosen) setScreenshot(URL.createObjectURL(chosen))
            }}
          />
        </div>
      )}
      {ground === 'site' && (
        <form
          className={css.bar}
          onSubmit={(event) => {
            event.preventDefault()
            const address = /^https?:\/\//i.test(site.trim()) ? site.trim() : `https://${site.trim()}`
            showSite(URL.canParse(address) ? address : '')
          }}
        >
          <TextField
            className={css.address}
            aria-label={t('preview.address')}
            placeholder="https://"
            value={site}
            onChange={(event) => setSite(event.currentTarget.value)}
          />
          <Button type="submit" size="s" disabled={site.trim() === ''}>
            {t('preview.show')}
          </Button>
          <span className={css.hint}>{t('preview.siteAbout')}</span>
        </form>
      )}
      <div className={css.stage}>
        <div className={css.device} data-device={device} data-scheme={scheme}>
          {device === 'desk' && (
            <div className={css.window} aria-hidden="true">
              <i />
              <i />
              <i />
            </div>
          )}
          <div className={css.page}>
            {ground === 'screenshot' && screenshot ? (
              <img className={css.screenshot} src={screenshot} alt="" />
            ) : ground === 'site' && shownSite ? (
              <iframe
                className={css.site}
                src={shownSite}
                title={t('preview.siteTitle')}
                sandbox="allow-scripts allow-forms"
                referrerPolicy="no-referrer"
                tabIndex={-1}
              />
            ) : (
              <PlainPage />
            )}
            <div
              className={css.chat}
              data-position={look.launcher.position}
              hidden={!open}
              style={
                device === 'desk'
                  ? {
                      bottom: look.launcher.offset_y + look.launcher.size + 12,
                      [look.launcher.position]: look.launcher.offset_x,
                    }
                  : undefined
              }
            >
              <Chat look={look} name={name} scheme={scheme} />
              {device === 'phone' && (
                <button
                  type="button"
                  className={css.close}
                  aria-label={t('preview.close')}
                  onClick={() => setOpen(false)}
                >
                  <X size={18} aria-hidden />
                </button>
              )}
            </div>
            {(device === 'desk' || (!open && look.launcher.on_mobile)) && (
              <Launcher look={look} scheme={scheme} open={open} onToggle={() => setOpen(!open)} />
            )}
            {device === 'phone' && !open && !look.launcher.on_mobile && (
              <p className={css.none}>
                {t('preview.noneOnPhones')}{' '}
                <button type="button" className={css.link} onClick={() => setOpen(true)}>
                  {t('preview.openAnyway')}
                </button>
              </p>
            )}
          </div>
        </div>
      </div>
    </section>
  )
}

/** The real chat with a conversation of its own, drawn anew with each change. */
function Chat({ look, name, scheme }: Omit<LookPreviewProps, 'onScheme'>) {
  const { t, i18n } = useTranslation('appearance')
  // in the language of what is said in it, which is a sample; visitors get the chatbot's own
  const { language } = i18n
  const { data: spoken } = useQuery({
    queryKey: ['chat-texts', language],
    queryFn: () => loadTexts(language),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const place = useRef<HTMLDivElement>(null)
  const chat = useRef<MountedChat>(null)
  const latest = useRef({ look, name, scheme })
  latest.current = { look, name, scheme }
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const texts = {
      question: t('sample.question'),
      answer: t('sample.answer'),
      source: t('sample.source'),
      anything: t('sample.anything'),
      options: [t('sample.optionOne'), t('sample.optionTwo')],
      reply: t('sample.reply'),
    }
    chat.current = mountChat(element, {
      ...latest.current,
      transport: createSampleTransport(texts, Date.now),
      paced: false,
      mayLeave: false,
      part: true,
      takesCursor: false,
    })
    return () => {
      chat.current?.unmount()
      chat.current = null
    }
  }, [t])
  useLayoutEffect(
    () =>
      chat.current?.draw({
        ...{ look, name: look.brand.name.trim() || name, scheme },
        ...(spoken && { texts: spoken.texts, language: spoken.language }),
      }),
    [look, name, scheme, spoken],
  )
  return <div ref={place} className={css.mount} />
}

function Launcher(props: { look: Look; scheme: 'light' | 'dark'; open: boolean; onToggle: () => void }) {
  const { look, scheme, open, onToggle } = props
  const { t } = useTranslation('appearance')
  const { launcher, colours } = look
  const white: Colour = { r: 255, g: 255, b: 255, a: 1 }
  const accent = over(parseColour(colours[scheme].accent) ?? white, white)
  const hovering = launcher.hovering.trim()
  return (
    <div
      className={css.launcher}
      data-position={launcher.position}
      style={{ bottom: launcher.offset_y, [launcher.position]: launcher.offset_x }}
    >
      {hovering && !open && <p className={css.hovering}>{hovering}</p>}
      <button
        type="button"
        aria-label={launcher.text.trim() || t(open ? 'preview.close' : 'preview.open')}
        aria-expanded={open}
        style={{
          minWidth: launcher.size,
          height: launcher.size,
          backgroundColor: hexOf(accent),
          color: hexOf(inkOn(accent)),
        }}
        onClick={onToggle}
      >
        {open ? (
          <ChevronDown size={launcher.size * 0.46} aria-hidden />
        ) : (
          <>
            <LauncherIcon icon={launcher.icon} image={launcher.image} size={launcher.size * 0.46} />
            {launcher.text.trim() && <span>{launcher.text}</span>}
          </>
        )}
      </button>
    </div>
  )
}

/** A page of nobody: shapes, so that the chat is what one looks at. */
const PlainPage = () => (
  <div className={css.plain} aria-hidden="true">
    <div className={css.plainNav}>
      <i />
      <i />
      <i />
      <i />
    </div>
    <div className={css.plainHero}>
      <i />
      <i />
      <i />
    </div>
    <div className={css.plainCards}>
      <i />
      <i />
      <i />
    </div>
  </div>
)

const Named = ({ icon, name }: { icon: React.ReactNode; name: string }) => (
  <>
    {icon} {name}
  </>
)
