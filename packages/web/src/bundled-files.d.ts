/** Files the bundle carries along; importing one gives its address. */
declare module "*.svg" {
  const url: string;
  export default url;
}
declare module "*.css";
