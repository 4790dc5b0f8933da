/** `/embed.js`, the script that pages include: it loads the launcher, whose file name changes with each version. */
declare const LAUNCHER: string

const script = document.currentScript
if (script instanceof HTMLScriptElement) {
  const { origin, searchParams } = new URL(script.src)
  import(/* @vite-ignore */ origin + LAUNCHER).then(
    ({ start }) => start(origin, searchParams),
    () => console.error('Parley: the chat could not be loaded. Does the page allow scripts from', origin),
  )
}
