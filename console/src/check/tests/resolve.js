/** Where node finds what the console's modules import. */

const LIBRARY = '/console/lib/lit-html/';
const HERE = new URL('../../../target/check/node_modules/lit-html/node/', import.meta.url);

export async function resolve(specifier, context, next) {
  if (specifier.startsWith(LIBRARY)) {
    return { url: new URL(specifier.slice(LIBRARY.length), HERE).href, format: 'module', shortCircuit: true };
  }
  const found = await next(specifier, context);
  return found.url.includes('/console/web/') ? { ...found, format: 'module' } : found;
}
